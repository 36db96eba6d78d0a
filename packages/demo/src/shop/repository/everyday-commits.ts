/** What a team ships between incidents: one line in one file each. */
import type { AuthorKey, CommitPlan } from './commit-plan.ts'

const EN = 'services/web/src/messages/en.ts'
const NL = 'services/web/src/messages/nl.ts'
const COUNTRIES = 'services/checkout/src/countries.ts'
const PROPERTIES = 'services/payments/src/main/resources/application.properties'
const SYNONYMS = 'services/catalog/catalog/synonyms.py'
const ATTRIBUTES = 'services/catalog/catalog/attributes.py'
const SUBJECTS = 'services/worker/internal/mail/subjects.go'
const RUNBOOK = 'docs/runbook.md'
const PRODUCTION = 'config/production.yaml'

const LINES: [AuthorKey, string, string, string][] = [
  ['grace', 'Name the size guide', EN, "  'sizes.guide': 'Size guide',"],
  ['grace', 'Translate the size guide', NL, "  'sizes.guide': 'Maattabel',"],
  ['mei', 'Ship to France', COUNTRIES, "  'FR',"],
  ['omar', 'Say receipts in German', SUBJECTS, '\t"de": "Ihre Bestellung",'],
  ['mei', 'Find boots by their other names', SYNONYMS, '    "wellies": "boot",'],
  ['linus', 'Answer with compressed bodies', PROPERTIES, 'server.compression.enabled=true'],
  ['ada', 'Describe how a refund is made', RUNBOOK, '- Refunds are made in the office tool, never in the database.'],
  ['mei', 'Index the material of a product', ATTRIBUTES, '    "material",'],
  ['grace', 'Name the delivery promise', EN, "  'delivery.promise': 'Ordered before ten, with you tomorrow',"],
  ['grace', 'Translate the delivery promise', NL, "  'delivery.promise': 'Voor tienen besteld, morgen in huis',"],
  ['linus', 'Close idle connections after a minute', PROPERTIES, 'server.tomcat.connection-timeout=60s'],
  ['mei', 'Ship to Luxembourg', COUNTRIES, "  'LU',"],
  ['omar', 'Resize eight images at a time', PRODUCTION, 'worker.images.at_once: 8'],
  ['mei', 'Find coats by their other names', SYNONYMS, '    "parka": "coat",'],
  [
    'ada',
    'Describe who is called at night',
    RUNBOOK,
    '- At night the person on duty is called, after fifteen minutes the second.',
  ],
  ['grace', 'Name the wish list', EN, "  'wishes.title': 'Wish list',"],
  ['grace', 'Translate the wish list', NL, "  'wishes.title': 'Verlanglijst',"],
  ['mei', 'Index the brand of a product', ATTRIBUTES, '    "brand",'],
  ['omar', 'Say receipts in French', SUBJECTS, '\t"fr": "Votre commande",'],
  ['mei', 'Ship to Austria', COUNTRIES, "  'AT',"],
  ['linus', 'Show build information', PROPERTIES, 'management.info.build.enabled=true'],
  ['grace', 'Name the outlet', EN, "  'outlet.title': 'Outlet',"],
  ['grace', 'Translate the outlet', NL, "  'outlet.title': 'Uitverkoop',"],
  ['mei', 'Find caps by their other names', SYNONYMS, '    "beanie": "cap",'],
  ['ada', 'Allow more lines in a cart', PRODUCTION, 'checkout.max_pieces: 500'],
  ['mei', 'Index the season of a product', ATTRIBUTES, '    "season",'],
  ['omar', 'Say receipts in Spanish', SUBJECTS, '\t"es": "Tu pedido",'],
  ['linus', 'Limit the size of a request', PROPERTIES, 'server.max-http-request-header-size=16KB'],
  ['grace', 'Name the returns page', EN, "  'returns.title': 'Return an order',"],
  ['grace', 'Translate the returns page', NL, "  'returns.title': 'Retourneren',"],
  ['mei', 'Ship to Denmark', COUNTRIES, "  'DK',"],
  [
    'ada',
    'Describe how staging is filled',
    RUNBOOK,
    '- Staging gets a copy of the catalog every Monday, without customers.',
  ],
  ['mei', 'Find bags by their other names', SYNONYMS, '    "tote": "bag",'],
  ['linus', 'Stop gracefully', PROPERTIES, 'server.shutdown=graceful'],
  ['grace', 'Name the gift card', EN, "  'gift-card.title': 'Gift card',"],
  ['grace', 'Translate the gift card', NL, "  'gift-card.title': 'Cadeaubon',"],
  ['mei', 'Index the fit of a product', ATTRIBUTES, '    "fit",'],
  ['omar', 'Say receipts in Danish', SUBJECTS, '\t"da": "Din ordre",'],
  ['mei', 'Ship to Sweden', COUNTRIES, "  'SE',"],
  ['ada', 'Describe the morning check', RUNBOOK, '- Every morning somebody looks at the errors of the night.'],
  ['grace', 'Name the newsletter', EN, "  'newsletter.title': 'Newsletter',"],
  ['grace', 'Translate the newsletter', NL, "  'newsletter.title': 'Nieuwsbrief',"],
]

export const EVERYDAY_COMMITS: readonly CommitPlan[] = LINES.map(([author, subject, path, add]) => ({
  author,
  message: `${subject}\n`,
  edits: [{ path, add }],
}))
