/**
 * Runs before all other scripts, from a file of its own that is small: what the first page shows is asked for while the
 * files that show it are still coming.
 */
import { readAddress } from '@tidemark/wire/dashboard/address'
import { SESSION_PATH, searchPath } from './api/paths.ts'
import { askAhead } from './api/request.ts'
import { beginsWithSearch, filterOf } from './logs/log-filter.ts'
import { PAGES } from './pages.ts'

const address = readAddress(location.pathname, location.search)
if (address) {
  const { projectId, page } = address
  askAhead(SESSION_PATH)
  if (page?.name === 'logs' && beginsWithSearch(page.search)) {
    askAhead(searchPath(projectId, filterOf(page.search), { order: page.search.order }))
  }
  // What fails fails again where somebody is told of it.
  if (page) PAGES[page.name]().catch(() => {})
}
