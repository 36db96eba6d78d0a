import { declinedCards } from './declined-cards.ts'
import { droppedColumn } from './dropped-column.ts'
import { feedFlood } from './feed-flood.ts'
import { guestCurrency } from './guest-currency.ts'
import { imageMemory } from './image-memory.ts'
import type { Incident } from './incident.ts'
import { oddQuantities } from './odd-quantities.ts'
import { oneCustomer } from './one-customer.ts'
import { providerOutage } from './provider-outage.ts'
import { rewordedTimeout } from './reworded-timeout.ts'
import { searchTimeout } from './search-timeout.ts'
import { stagingStock } from './staging-stock.ts'
import { windowOnServer } from './window-on-server.ts'

/** Those of the history, in the order in which they began. The live one comes from the live writer. */
export const PAST_INCIDENTS: readonly Incident[] = [
  feedFlood,
  providerOutage,
  windowOnServer,
  imageMemory,
  rewordedTimeout,
  oddQuantities,
  searchTimeout,
  declinedCards,
  droppedColumn,
  stagingStock,
  oneCustomer,
  guestCurrency,
]
