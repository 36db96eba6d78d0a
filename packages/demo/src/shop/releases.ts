/**
 * Three weeks of shipping: which commits went out when, to where, and how it ended. A release goes to staging some minutes
 * before production; a hotfix goes straight to production. The tests count sixty deploys in the two environments.
 */
import type { DeployStatus } from '@tidemark/wire/deploys/deploy-status'
import type { Moment } from './moment.ts'
import type { StoryCommit } from './repository/story-commits.ts'

export type Release = {
  name: string
  /** Commits of the story, shipped after `everyday` ordinary ones. */
  commits: readonly StoryCommit[]
  everyday: number
  deploys: readonly PlannedDeploy[]
}

type PlannedDeploy = {
  environment: string
  at: Moment
  status: DeployStatus
  /** Ships this earlier release again instead of its own commits. */
  backTo?: string
  note?: string
}

const STAGING_LEAD_MINUTES = 75

export const RELEASES: readonly Release[] = [
  shipped('opening', { daysAgo: 21, at: '09:30' }, 3),
  shipped('tuesday', { daysAgo: 20, at: '10:10' }, 2),
  shipped('order-by-the-dozen', { daysAgo: 19, at: '14:00' }, 2, ['order-by-the-dozen']),
  hotfix('refuse-odd-quantities', { daysAgo: 18, at: '11:00' }, ['refuse-odd-quantities']),
  shipped('sizes', { daysAgo: 17, at: '09:50' }, 3),
  shipped('log-feed-rows', { daysAgo: 15, at: '13:20' }, 1, ['log-feed-rows']),
  shipped('log-feed-row-numbers', { daysAgo: 15, at: '16:30' }, 0, ['log-feed-row-numbers']),
  shipped(
    'delivery',
    { daysAgo: 13, at: '10:00' },
    3,
    [],
    [
      // A script by hand, with a name that no record carries.
      { environment: 'prod', at: { daysAgo: 12, at: '07:35' }, status: 'succeeded', note: 'Deployed by hand' },
    ],
  ),
  shipped('compression', { daysAgo: 12, at: '13:00' }, 2),
  shipped(
    'wishes',
    { daysAgo: 11, at: '09:40' },
    2,
    [],
    [
      {
        environment: 'staging',
        at: { daysAgo: 11, at: '07:50' },
        status: 'failed',
        note: 'The image could not be pulled',
      },
    ],
  ),
  shipped(
    'recently-viewed',
    { daysAgo: 10, at: '15:00' },
    1,
    ['recently-viewed'],
    [{ environment: 'production', at: { daysAgo: 10, at: '15:16' }, status: 'succeeded', backTo: 'wishes' }],
  ),
  hotfix('recently-viewed-in-browsers', { daysAgo: 10, at: '17:40' }, ['recently-viewed-in-browsers']),
  shipped('cache-resized-images', { daysAgo: 9, at: '11:20' }, 2, ['cache-resized-images']),
  shipped('bound-image-cache', { daysAgo: 8, at: '13:30' }, 0, ['bound-image-cache']),
  shipped('bump-http-client', { daysAgo: 8, at: '16:40' }, 1, ['bump-http-client']),
  shipped('simplify-cart', { daysAgo: 7, at: '10:30' }, 1, ['simplify-cart']),
  shipped('refuse-odd-quantities-again', { daysAgo: 7, at: '15:00' }, 0, ['refuse-odd-quantities-again']),
  shipped('outlet', { daysAgo: 6, at: '16:00' }, 3),
  shipped('retry-declined-captures', { daysAgo: 5, at: '10:20' }, 1, ['retry-declined-captures']),
  shipped('larger-carts', { daysAgo: 4, at: '09:15' }, 2),
  shipped(
    'spanish-receipts',
    { daysAgo: 4, at: '14:40' },
    2,
    [],
    [
      {
        environment: 'production',
        at: { daysAgo: 4, at: '14:20' },
        status: 'failed',
        note: 'The registry did not answer',
      },
    ],
  ),
  shipped(
    'move-gift-notes',
    { daysAgo: 3, at: '10:41' },
    1,
    ['move-gift-notes'],
    [
      {
        environment: 'production',
        at: { daysAgo: 3, at: '10:05' },
        status: 'failed',
        note: 'Migrated, then the health check timed out',
      },
    ],
  ),
  shipped(
    'returns',
    { daysAgo: 3, at: '16:20' },
    2,
    [],
    [{ environment: 'production', at: { daysAgo: 3, at: '16:00' }, status: 'cancelled' }],
  ),
  shipped(
    'gift-cards',
    { minutesAgo: 2_160 },
    2,
    [],
    [{ environment: 'prod', at: { minutesAgo: 1_592 }, status: 'succeeded', note: 'Deployed by hand' }],
  ),
  stagingOnly('stock-by-warehouse', { minutesAgo: 1_800 }, 1, ['stock-by-warehouse']),
  {
    ...stagingOnly('stock-without-warehouse', { minutesAgo: 1_690 }, 0, ['stock-without-warehouse']),
    deploys: [
      { environment: 'staging', at: { minutesAgo: 1_690 }, status: 'succeeded' },
      { environment: 'production', at: { minutesAgo: 1_300 }, status: 'succeeded' },
    ],
  },
  shipped('danish-receipts', { minutesAgo: 560 }, 3),
  shipped(
    'prices-by-currency',
    { minutesAgo: 170 },
    2,
    ['prices-by-currency'],
    [{ environment: 'staging', at: { minutesAgo: 262 }, status: 'cancelled' }],
  ),
  stagingOnly('share-discounts', { minutesAgo: 18 }, 0, ['describe-prices', 'share-discounts']),
]

/** The release that the live writer ships while the demo runs. */
export const LIVE_RELEASE = 'share-discounts'

function shipped(
  name: string,
  at: Moment,
  everyday: number,
  commits: readonly StoryCommit[] = [],
  more: readonly PlannedDeploy[] = [],
): Release {
  const deploys: PlannedDeploy[] = [
    { environment: 'staging', at: { before: at, minutes: STAGING_LEAD_MINUTES }, status: 'succeeded' },
    { environment: 'production', at, status: 'succeeded' },
  ]
  return { name, commits, everyday, deploys: [...deploys, ...more] }
}

function hotfix(name: string, at: Moment, commits: readonly StoryCommit[]): Release {
  return { name, commits, everyday: 0, deploys: [{ environment: 'production', at, status: 'succeeded' }] }
}

function stagingOnly(name: string, at: Moment, everyday: number, commits: readonly StoryCommit[]): Release {
  return { name, commits, everyday, deploys: [{ environment: 'staging', at, status: 'succeeded' }] }
}
