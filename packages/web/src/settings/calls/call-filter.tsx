import type { SettingsSearch } from '@tidemark/wire/dashboard/search'
import type { ApiKey } from '@tidemark/wire/people/key'
import { plainLine } from '../../text/plain-text.ts'
import { SelectField } from '../../ui/field.tsx'

const RESULTS = [
  { value: '', label: 'Any result' },
  { value: 'only', label: 'Errors only' },
]

type CallFilterProps = {
  search: SettingsSearch
  keys: readonly ApiKey[]
  names: readonly string[]
  onChange: (changed: SettingsSearch) => void
}

export function CallFilter({ search: { key = '', call = '', errors }, keys, names, onChange }: CallFilterProps) {
  // What the address names is offered even where the list does not have it, or the choice would look like another one.
  const known = call === '' || names.includes(call) ? names : [...names, call]
  const isKnownKey = key === '' || keys.some(({ id }) => id === key)
  return (
    <div className="mb-3 grid grid-cols-2 gap-2 sm:grid-cols-3">
      <div className="max-sm:col-span-2">
        <SelectField
          label="Key"
          value={key}
          onChange={({ target }) => onChange({ key: target.value || undefined })}
          options={[
            { value: '', label: 'All keys' },
            ...keys.map(({ id, name, lastFour }) => ({ value: id, label: `${plainLine(name)} …${lastFour}` })),
            ...(isKnownKey ? [] : [{ value: key, label: plainLine(key) }]),
          ]}
        />
      </div>
      <SelectField
        label="Call"
        value={call}
        onChange={({ target }) => onChange({ call: target.value || undefined })}
        options={[{ value: '', label: 'All calls' }, ...known.map((name) => ({ value: name, label: plainLine(name) }))]}
      />
      <SelectField
        label="Result"
        value={errors ?? ''}
        onChange={({ target }) => onChange({ errors: target.value === 'only' ? 'only' : undefined })}
        options={RESULTS}
      />
    </div>
  )
}
