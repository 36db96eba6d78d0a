import { CATALOG_FILES } from './catalog-files.ts'
import { CHECKOUT_FILES } from './checkout-files.ts'
import { PAYMENTS_FILES } from './payments-files.ts'
import { WEB_FILES } from './web-files.ts'
import { WORKER_FILES } from './worker-files.ts'
import { WORKSPACE_FILES } from './workspace-files.ts'

/** The shop's code as it was imported, before the first commit of the story. */
export const ALL_FILES: Record<string, string> = {
  ...WORKSPACE_FILES,
  ...WEB_FILES,
  ...CHECKOUT_FILES,
  ...PAYMENTS_FILES,
  ...CATALOG_FILES,
  ...WORKER_FILES,
}
