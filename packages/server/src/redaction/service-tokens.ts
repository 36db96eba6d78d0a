/**
 * Tokens of services that give themselves away by their form: a fixed beginning, and random characters after it. Each
 * comes with its hint (see `hints.ts`), so a new service is one line here.
 */
import type { RedactionRule } from './rule.ts'

/** Text that logs put directly before a token: an escaped line break, a terminal colour, a percent escape. */
const ESCAPE = '\\\\[nrt]|\\[[0-9;]{1,20}m|%[0-9A-Fa-f]{2}|\\\\(?:u00|x)[0-9A-Fa-f]{2}'

/**
 * Returns a pattern of `beginning` where none of `characters` is in front of it, unless they belong to an escape. For forms
 * that words can begin or end with. The condition follows the characters, because a search for characters is quick.
 */
export function apart(beginning: string, characters = 'A-Za-z0-9'): string {
  return `${beginning}(?<=(?:^|[^${characters}]|${ESCAPE})${beginning})`
}

/** Random base 62. Words, hashes and numbers never have all three kinds of characters. */
export const MIXED = '(?=[A-Za-z0-9]{0,40}[0-9])(?=[A-Za-z0-9]{0,40}[a-z])(?=[A-Za-z0-9]{0,40}[A-Z])'
/** A slash as it is, as JSON of PHP writes it, and in a URL. */
export const SLASH = '(?:\\\\{0,7}/|%2[fF])'
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const NO_HASH = '(?![0-9a-f]{32})'

type Shape = [hint: string, pattern: string]

// Those without a condition in front may begin anywhere, so whatever touches them does not hide them.
export const SHAPES: readonly Shape[] = [
  // Vault, Docker, DigitalOcean, Hugging Face, Shopify, Square, Mailgun, Atlassian
  ['hv[bsr][.]', 'hv[bsr]\\.[A-Za-z0-9_-]{24,255}'],
  ['dckr_', 'dckr_[po]at_[A-Za-z0-9_-]{20,255}'],
  ['do[opr]_', 'do[opr]_v1_[0-9a-f]{64}'],
  ['hf_[A-Za-z0-9]', `hf_${NO_HASH}[A-Za-z0-9]{34,40}`],
  ['shp[acpsu]', 'shp(?:at|ca|pa|ss|ua)_[0-9a-fA-F]{32}'],
  ['sq0[a-z]', 'sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}'],
  ['EAA[A-Z]', `${apart('EAA')}(?:A(?![A-Za-z0-9_-]{0,56}AAAA)[A-Za-z0-9_-]{60}|[A-Z][A-Za-z0-9]{90,400}(?![+/=_-]))`],
  ['key-[0-9a-f]', `${apart('key-', 'A-Za-z0-9_-')}[0-9a-f]{32}(?![0-9a-f])`],
  ['AT[AC]TT3', 'AT[AC]TT3[A-Za-z0-9_=-]{50,400}'],
  ['ATBB', `${apart('ATBB')}[A-Za-z0-9]{28,40}`],
  // Azure
  ['[0-9]Q~[A-Za-z0-9_~.-]', '[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'],
  ['JQQJ', '[A-Za-z0-9]{40,52}JQQJ99[A-Za-z0-9]{20,40}'],
  // Telegram, Twilio, Databricks, Linear, Postman, Grafana, Doppler, Pulumi, Terraform
  ['[0-9]:AA[A-Za-z0-9_-]', '\\d{8,10}:AA[A-Za-z0-9_-]{33}'],
  ['3AAA[A-Za-z0-9_-]', '\\d{8,10}%3AAA[A-Za-z0-9_-]{33}'],
  // `SKed` is left out: its hint would match in every "asked".
  ['SK[0-9][0-9a-f]', `${apart('SK\\d')}[0-9a-f]{31}(?![0-9a-f])`],
  ['SK[a-f][0-9]', `${apart('SK[a-f]\\d')}[0-9a-f]{30}(?![0-9a-f])`],
  ['SK[a-df][a-f]', `${apart('SK[a-df][a-f]')}[0-9a-f]{30}(?![0-9a-f])`],
  ['SKe[abcef]', `${apart('SKe[abcef]')}[0-9a-f]{30}(?![0-9a-f])`],
  ['dapi[0-9a-f]', 'dapi[0-9a-f]{32}(?:-\\d)?'],
  ['lin_[ao]', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'],
  ['PMAK-', 'PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34}'],
  ['glsa_', 'glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}'],
  ['glc_', 'glc_[A-Za-z0-9+/=]{32,400}'],
  ['eyJrIjoi', 'eyJrIjoi[A-Za-z0-9+/=]{60,400}'],
  ['dp[.][acps]', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,100}'],
  ['pul-', 'pul-[0-9a-f]{40}'],
  ['atlasv1[.]', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9=_-]{50,80}'],
  // New Relic, Sentry, Heroku, Supabase, PlanetScale, Netlify, Vercel, Fly.io, Contentful, Dynatrace
  ['NR[AIRS][AIKPQ]-', 'NR(?:AK|II|IQ|RA|AA|SP)-[A-Za-z0-9_-]{24,40}'],
  ['NRAL', '(?:[0-9a-f]{36}|[a-z]{2}\\d{2}xx[0-9a-f]{26,30}FFFF)NRAL'],
  ['sntr', 'sntry[su]_[A-Za-z0-9+/=_-]{40,400}'],
  ['HRKU', 'HRKU-[A-Za-z0-9_-]{36,80}'],
  ['sbp_', 'sbp_[0-9a-f]{40}'],
  ['psca', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9._=-]{32,64}'],
  ['nf[pcoub]_', `nf[pcoub]_${NO_HASH}[A-Za-z0-9]{36,40}`],
  ['vc[piark]_', `vc[piark]_${NO_HASH}[A-Za-z0-9]{24,80}`],
  ['f[om][12]_', 'f[om][12]_[A-Za-z0-9+/=_-]{60,800}'],
  ['CFPAT', 'CFPAT-[A-Za-z0-9_-]{40,64}'],
  ['dt0[a-z]', 'dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  // Notion, Figma, Dropbox, Resend, HubSpot, Mailchimp, Brevo, Typeform, Intercom, PostHog
  ['secret_[A-Za-z0-9]', `secret_${NO_HASH}[A-Za-z0-9]{43}`],
  ['ntn_', 'ntn_[A-Za-z0-9]{40,50}'],
  ['ig[dou]_', 'fig[dou]_[A-Za-z0-9_-]{40,60}'],
  ['sl[.][A-Za-z0-9_-]', `${apart('sl\\.')}(?:u\\.)?[A-Za-z0-9_-]{60,2000}`],
  ['re_[A-Za-z0-9]{8}_', `${apart('re_')}[A-Za-z0-9]{8}_[A-Za-z0-9]{24}`],
  ['pat-[nea]', `pat-(?:na|eu|ap)\\d-${UUID}`],
  ['[0-9a-f]-us[0-9]', '[0-9a-f]{32}-us\\d{1,2}(?!\\d)'],
  ['xkeys', 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}'],
  ['xsmt', 'xsmtpsib-[0-9a-f]{64}-[A-Za-z0-9]{16}'],
  ['tfp_', 'tfp_[A-Za-z0-9._=-]{40,64}'],
  ['dG9r', `${apart('dG9rO')}[A-Za-z0-9+/=_-]{40,80}`],
  ['phx_', 'phx_[A-Za-z0-9]{40,60}'],
  // Models: Groq, xAI, Perplexity, Replicate, Tavily, LangSmith, Pinecone, NVIDIA, Cerebras, ElevenLabs
  ['gsk_', `gsk_${NO_HASH}[A-Za-z0-9]{40,60}`],
  ['xai-', 'xai-[A-Za-z0-9]{60,100}'],
  ['pplx', 'pplx-[A-Za-z0-9]{40,64}'],
  ['r8_[A-Za-z0-9]', `r8_${NO_HASH}[A-Za-z0-9]{37}`],
  ['tvly', 'tvly-[A-Za-z0-9_-]{20,64}'],
  ['lsv2', 'lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}'],
  ['pcsk', 'pcsk_[A-Za-z0-9_-]{40,90}'],
  ['nvapi', 'nvapi-[A-Za-z0-9_-]{60,80}'],
  ['csk-', 'csk-[a-z0-9]{48}'],
  ['sk_[0-9a-f]{48}', `${apart('sk_')}[0-9a-f]{48}(?![A-Za-z0-9])`],
  // Registries and builds: Clojars, RubyGems, NuGet, Artifactory, CircleCI, Buildkite, SonarQube, Deno, 1Password, Tailscale
  ['CLOJ', 'CLOJARS_[0-9a-f]{60}'],
  ['ygem', 'rubygems_[0-9a-f]{48}'],
  ['oy2[a-z0-9]', `${apart('oy2')}[a-z0-9]{43}(?![A-Za-z0-9])`],
  ['AKCp', `${apart('AKCp')}[A-Za-z0-9]{60,80}`],
  ['cmVm', 'cmVmdGtu[A-Za-z0-9]{50,64}'],
  ['CCIP', 'CCIP(?:AT|RJ)_[A-Za-z0-9_-]{40,80}'],
  ['bkua', 'bkua_[0-9a-f]{40}'],
  ['sq[upa]_', 'sq[upa]_[0-9a-f]{40}'],
  ['sgp_', 'sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}'],
  ['dd[pow]_', `dd[pow]_${NO_HASH}[A-Za-z0-9]{36}`],
  ['ops_eyJ', 'ops_eyJ[A-Za-z0-9+/=_-]{200,2000}'],
  ['skey-', 'tskey-[a-z]{1,20}-[A-Za-z0-9]{8,40}-[A-Za-z0-9]{20,64}'],
  ['-KEY-1', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'],
  // Data and clouds: Confluent, Neon, Render, Atlas, CockroachDB, dbt, Harness, Honeycomb, Axiom, Akamai, LaunchDarkly, FCM
  ['cflt', `${apart('cflt')}[A-Za-z0-9+/]{60}`],
  ['napi_', 'napi_[a-z0-9]{60,70}'],
  ['rnd_', `rnd_${NO_HASH}[A-Za-z0-9]{28,40}`],
  ['mdb_', 'mdb_sa_sk_[A-Za-z0-9_-]{40}'],
  ['CCDB', 'CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}'],
  ['dbt[cu]_', 'dbt[cu]_[A-Za-z0-9_-]{36,64}'],
  ['[ps]at[.]', '[ps]at\\.[A-Za-z0-9_-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}'],
  ['hc[a-z]ik_', 'hc[a-z]ik_[A-Za-z0-9]{58}'],
  ['xa[ap]t-', `xa[ap]t-${UUID}`],
  ['akab-', 'akab-[a-z0-9]{16}-[a-z0-9]{16}'],
  ['sdk-[0-9a-f]', `${apart('sdk-')}${UUID}`],
  [':APA', '[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{100,200}'],
  // Alibaba, Tencent, Yandex, AWS Bedrock, payments
  ['LTAI', `${apart('LTAI')}(?=[A-Za-z]{0,24}\\d)[A-Za-z0-9]{12,24}(?![A-Za-z0-9])`],
  ['AKID', `${apart('AKID')}[A-Za-z0-9]{32}(?![A-Za-z0-9])`],
  ['AQVN', `${apart('AQVN')}[A-Za-z0-9_-]{35,38}`],
  ['ABSK', `${apart('ABSK')}[A-Za-z0-9+/]{80,400}={0,2}`],
  ['ss-[sdp]', 'access-(?:sandbox|development|production)-[0-9a-f-]{36}'],
  ['ken[$]', 'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}'],
  ['FLWS', 'FLWSECK(?:_TEST)?-[0-9a-zA-Z]{20,40}(?:-X)?'],
  ['EZ[AT]K', 'EZ[AT]K[A-Za-z0-9]{54,64}'],
  // Anyone who follows the usual custom: a short name, the kind, and base 62.
  ...['live', 'test', 'prod', 'secret', 'sk', 'pat', 'apikey'].map(
    (kind): Shape => [`_${kind}_`, `[a-z]{2,12}_${kind}_${MIXED}[A-Za-z0-9]{24,255}`],
  ),
]

export const SERVICE_HINTS: readonly string[] = [...SHAPES.map(([hint]) => hint), 'hooks[/\\\\%]', 'hookb2']

export const SERVICE_TOKENS: readonly RedactionRule[] = [
  ...SHAPES.map(([, pattern]) => ({ name: 'service-token', pattern: new RegExp(pattern, 'g') }) as const),
  // Addresses that anyone who knows them may post to: Discord, Teams, Zapier.
  {
    name: 'service-token',
    pattern: new RegExp(
      `(discord(?:app)?\\.com${SLASH}api${SLASH}(?:v\\d+${SLASH})?webhooks${SLASH}\\d{15,22}${SLASH})[A-Za-z0-9_-]{40,120}`,
      'g',
    ),
  },
  {
    name: 'service-token',
    pattern: new RegExp(`(webhook\\.office\\.com${SLASH}webhookb2${SLASH})(?:[A-Za-z0-9@-]|${SLASH}|%40){60,300}`, 'g'),
  },
  {
    name: 'service-token',
    pattern: new RegExp(
      `(hooks\\.zapier\\.com${SLASH}hooks${SLASH}catch${SLASH})(?:[A-Za-z0-9_-]|${SLASH}){8,80}`,
      'g',
    ),
  },
]
