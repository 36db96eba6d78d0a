/**
 * Runs before all other scripts, from a file of its own that is small: what the first page shows is asked for while the
 * files that show it are still coming.
 */
import { readAddress } from '@tidemark/wire/dashboard/address'
import { SESSION_PATH, searchPath } from './api/paths.ts'
import { askAhead } from './api/request.ts'
import { beginsWithSearch, filterOf } from './logs/log-filter.ts'

const address = readAddress(location.pathname, location.search)
if (address) {
  askAhead(SESSION_PATH)
  if (address.page?.name === 'logs' && beginsWithSearch(address.page.search)) {
    const { search } = address.page
    askAhead(searchPath(address.projectId, filterOf(search), { order: search.order }))
  }
}
