/** The services of the shop, on how many hosts each runs, what it is written in and how its logger is called. */
import type { Language } from './stack-text.ts'

export const SERVICES = ['web', 'checkout', 'payments', 'catalog', 'worker'] as const
export type ServiceName = (typeof SERVICES)[number]

export const HOSTS: Record<ServiceName, number> = { web: 3, checkout: 2, payments: 2, catalog: 3, worker: 2 }

export const LANGUAGES: Record<ServiceName, Language> = {
  web: 'javascript',
  checkout: 'javascript',
  payments: 'java',
  catalog: 'python',
  worker: 'go',
}

export const LOGGERS: Record<ServiceName, string> = {
  web: 'web',
  checkout: 'checkout',
  payments: 'com.shop.payments.CaptureService',
  catalog: 'catalog.app',
  worker: 'worker',
}
