/**
 * Runs before all other scripts, from a file of its own that is small: what the first page shows is asked for while the
 * files that show it are still coming.
 */
import { readAddress } from '@tidemark/wire/dashboard/address'
import { firstRequests } from '@tidemark/wire/dashboard/first-requests'
import { askAhead } from './api/request.ts'
import { PAGES } from './pages.ts'

for (const path of firstRequests(location.pathname, location.search)) askAhead(path)
const page = readAddress(location.pathname, location.search)?.page
// What fails fails again where somebody is told of it.
if (page) PAGES[page.name]().catch(() => {})
