import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { isOfNumbers, MEASURES, type Measure } from '@tidemark/wire/reading/measure'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import type { LogsAddress } from '../logs-address.ts'
import { FieldPicker } from './field-picker.tsx'
import { type Grouping, MEASURE_WORDS } from './grouping.ts'

type ToolbarProps = { address: LogsAddress; grouping: Grouping; fields: FieldsAnswer['fields'] }

const NO_FIELDS: FieldsAnswer['fields'] = []

/** What is grouped, what is measured, and how it is drawn: all of it in the address. */
export function GroupsToolbar({ address, grouping, fields = NO_FIELDS }: ToolbarProps) {
  const { change } = address
  const { field, measure, of, chart } = grouping
  const setMeasure = (next: Measure) =>
    change({
      measure: next === 'count' ? undefined : next,
      // A field of texts has no percentiles: it has to be chosen again.
      of: next === 'count' || (isOfNumbers(next) && !isOfNumbers(measure)) ? undefined : of || undefined,
      chart: undefined,
    })
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1.5 border-b border-border px-3 py-1.5 text-small text-muted">
      <span className="max-sm:w-16">Group by</span>
      <div className="w-48 max-sm:w-auto max-sm:flex-1">
        <FieldPicker
          label="Group by"
          value={field}
          placeholder="A field"
          fields={fields}
          onChoose={(group) => change({ group })}
        />
      </div>
      <span className="max-sm:hidden">and show</span>
      <div className="flex min-w-0 gap-2 max-sm:w-full">
        <div className="w-40 min-w-0 max-sm:w-auto max-sm:flex-1">
          <SelectField
            label="Show"
            isLabelHidden
            value={measure}
            options={MEASURES.map((value) => ({ value, label: MEASURE_WORDS[value] }))}
            onChange={({ target: { value } }) => setMeasure(value as Measure)}
          />
        </div>
        {measure !== 'count' && (
          <div className="w-48 min-w-0 max-sm:w-auto max-sm:flex-1">
            <FieldPicker
              // Another field is needed as soon as numbers are.
              key={String(isOfNumbers(measure))}
              label="Measured field"
              value={of}
              placeholder={isOfNumbers(measure) ? 'A field of numbers' : 'A field'}
              fields={fields}
              isOfNumbers={isOfNumbers(measure)}
              onChoose={(name) => change({ of: name })}
            />
          </div>
        )}
      </div>
      {measure === 'count' && (
        <fieldset className="ml-auto flex gap-0.5 max-sm:hidden">
          <legend className="sr-only">Over time</legend>
          {(['stacked', 'lines'] as const).map((one) => (
            <Button
              key={one}
              look={chart === one ? 'plain' : 'quiet'}
              aria-pressed={chart === one}
              onClick={() => change({ chart: one === 'lines' ? 'lines' : undefined }, { replace: true })}
            >
              {one === 'stacked' ? 'Stacked' : 'Lines'}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
