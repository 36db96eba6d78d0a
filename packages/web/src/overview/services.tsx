import { Link } from '@tanstack/react-router'
import type { OverviewService } from '@tidemark/wire/reading/overview'
import { counted } from '@tidemark/wire/text/counted'
import type { ReactNode } from 'react'
import { plainLine } from '../text/plain-text.ts'
import { shortCount } from '../text/short-count.ts'
import { classNames } from '../ui/class-names.ts'
import { Sparkline } from '../ui/sparkline.tsx'
import { ComparisonMark } from './comparison-mark.tsx'
import { type Asked, ERRORS, logsSearch, serviceTerm } from './links.ts'
import { Calm, Panel } from './panel.tsx'

const CELL = 'px-3 max-sm:px-2'
const HEAD = 'h-8 text-small font-medium whitespace-nowrap text-muted'
const NUMBER = 'text-right tabular-nums'
/**
 * The changes are hidden where the panel is too narrow for them, that of the records first: a row without the name of its
 * service says nothing.
 */
const ERRORS_CHANGE = '@max-xl:hidden'
const RECORDS_CHANGE = '@max-3xl:hidden'

type ServicesProps = {
  projectId: string
  asked: Asked
  services: readonly OverviewService[]
  isTrendUnfinished: boolean
  /** Anything was logged in the time before. */
  isCompared: boolean
}

/** Services with most errors first. It stays a table on a phone: four columns fit, and numbers are compared downwards. */
export function Services({ services, ...row }: ServicesProps) {
  return (
    <Panel title="Services">
      {services.length === 0 ? (
        <Calm>No service logged anything in this time.</Calm>
      ) : (
        <table aria-label="Services" className="w-full table-fixed border-collapse text-left">
          <thead>
            <tr className="border-b border-border">
              <th scope="col" className={classNames(HEAD, CELL)}>
                Service
              </th>
              <th scope="col" className={classNames(HEAD, CELL, NUMBER, 'w-20 max-sm:w-16')}>
                Errors
              </th>
              {row.isCompared && (
                <th scope="col" className={classNames(HEAD, CELL, ERRORS_CHANGE, 'w-44')}>
                  Change
                </th>
              )}
              <th scope="col" className={classNames(HEAD, CELL, 'w-28 max-sm:w-24')}>
                <span className="max-sm:hidden">Errors over time</span>
                <span className="sm:hidden">Over time</span>
              </th>
              <th scope="col" className={classNames(HEAD, CELL, NUMBER, 'w-20 max-sm:w-16')}>
                Records
              </th>
              {row.isCompared && (
                <th scope="col" className={classNames(HEAD, CELL, RECORDS_CHANGE, 'w-44')}>
                  Change
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {services.map((one) => (
              <ServiceRow key={one.service} one={one} {...row} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

function ServiceRow({
  projectId,
  asked,
  one,
  isTrendUnfinished,
  isCompared,
}: Omit<ServicesProps, 'services'> & { one: OverviewService }) {
  const { service, records, errors, baseRecords, baseErrors, trend } = one
  const name = plainLine(service) || 'without a service'
  const all = logsSearch(asked, serviceTerm(service))
  const failed = logsSearch(asked, serviceTerm(service), ERRORS)
  const to = (search: typeof all, label: string, children: ReactNode, className?: string) => (
    <Link
      to="/projects/$projectId/logs"
      params={{ projectId }}
      search={search}
      title={label}
      className={classNames('rounded-[2px] hover:underline', className)}
    >
      {children}
    </Link>
  )
  return (
    <tr className="border-b border-border last:border-0 hover:bg-hover">
      <th scope="row" className={classNames(CELL, 'h-9 truncate font-medium')}>
        {to(all, `Records of ${name}`, service === '' ? <span className="text-faint">{name}</span> : name)}
      </th>
      <td className={classNames(CELL, NUMBER)}>
        {to(
          failed,
          `${counted(errors, 'error')} of ${name}`,
          shortCount(errors),
          errors > 0 ? 'font-medium text-error' : 'text-muted',
        )}
      </td>
      {isCompared && (
        <td className={classNames(CELL, 'truncate', ERRORS_CHANGE)}>
          <ComparisonMark count={errors} before={baseErrors} recordsBefore={baseRecords} isBadUp />
        </td>
      )}
      <td className={CELL}>
        <Sparkline
          counts={trend}
          label={`Errors of ${name} over time`}
          width={80}
          isLastUnfinished={isTrendUnfinished}
        />
      </td>
      <td className={classNames(CELL, NUMBER)} title={counted(records, 'record')}>
        {shortCount(records)}
      </td>
      {isCompared && (
        <td className={classNames(CELL, 'truncate', RECORDS_CHANGE)}>
          <ComparisonMark count={records} before={baseRecords} recordsBefore={baseRecords} />
        </td>
      )}
    </tr>
  )
}
