import { CATALOG_FILES } from './catalog-files.ts'
import { CHECKOUT_FILES } from './checkout-files.ts'
import { PAYMENTS_FILES } from './payments-files.ts'
import { WEB_FILES } from './web-files.ts'
import { WORKER_FILES } from './worker-files.ts'

const WORKSPACE_FILES: Record<string, string> = {
  'README.md': `# Shop

Five services: web and checkout (TypeScript), payments (Java), catalog (Python), worker (Go).
Every service logs JSON lines; the release of a record is the short sha of the deployed commit.
`,
  'docs/runbook.md': `# Runbook

- A deploy goes to staging first, to production when staging has been quiet for an hour.
- To roll back, deploy the sha before.
`,
  'config/production.yaml': `checkout.max_lines: 200
catalog.search.timeout_ms: 2000
payments.psp.timeout_ms: 5000
worker.images.parallel: 4
`,
  'config/staging.yaml': `checkout.max_lines: 200
catalog.search.timeout_ms: 2000
payments.psp.timeout_ms: 5000
worker.images.parallel: 1
`,
}

/** The shop's code as it was imported, before the first commit of the story. */
export const ALL_FILES: Record<string, string> = {
  ...WORKSPACE_FILES,
  ...WEB_FILES,
  ...CHECKOUT_FILES,
  ...PAYMENTS_FILES,
  ...CATALOG_FILES,
  ...WORKER_FILES,
}
