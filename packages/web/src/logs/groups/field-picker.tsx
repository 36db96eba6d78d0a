/** A field by its name, with those that the records really have below it. */
import { MAX_FIELD_NAME_CHARACTERS } from '@tidemark/wire/limits'
import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { shareWords } from '@tidemark/wire/text/share-words'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { plainLine } from '../../text/plain-text.ts'
import { CONTROL_CLASS } from '../../ui/field.tsx'
import { SuggestionList } from '../query/suggestion-list.tsx'
import { offeredFields } from './offered-fields.ts'

type PickerProps = {
  label: string
  value: string
  placeholder: string
  fields: FieldsAnswer['fields']
  /** Only those that hold numbers are offered; any name can be typed. */
  isOfNumbers?: boolean
  onChoose: (name: string) => void
}

export function FieldPicker({ label, value, placeholder, fields, isOfNumbers = false, onChoose }: PickerProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  useEffect(() => setText(value), [value])
  // What is already chosen is no search: then all of them are offered.
  const offered = isOpen ? offeredFields(fields, text === value ? '' : text, isOfNumbers) : []
  const entries = offered.map(({ name, coverage }) => ({
    text: name,
    label: plainLine(name),
    detail: coverage === null ? '' : shareWords(coverage),
    isQuery: false,
  }))
  const hasList = entries.length > 0
  const close = () => {
    setOpen(false)
    setChosen(-1)
  }
  const choose = (name: string) => {
    setText(name)
    close()
    if (name !== '' && name !== value) onChoose(name)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      setOpen(true)
      if (hasList)
        setChosen(chosen < 0 && step < 0 ? entries.length - 1 : (chosen + step + entries.length) % entries.length)
    } else if (event.key === 'Enter') choose(entries[chosen]?.text ?? text.trim())
    else if (event.key === 'Escape' && isOpen) {
      setText(value)
      close()
    } else return
    event.preventDefault()
  }
  return (
    <div className="relative min-w-0">
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={hasList}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={hasList && chosen >= 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={MAX_FIELD_NAME_CHARACTERS}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setOpen(true)
          setChosen(-1)
        }}
        onFocus={(event) => {
          event.target.select()
          setOpen(true)
        }}
        onBlur={() => {
          setText(value)
          close()
        }}
        onKeyDown={onKeyDown}
        className={`${CONTROL_CLASS} font-mono !text-small max-sm:!text-[16px]`}
      />
      <div className="absolute top-7 left-0 z-30 w-72 max-w-[80vw] [&>div]:!top-1">
        <SuggestionList
          id={id}
          entries={entries}
          chosen={chosen}
          isOpen={hasList}
          isLoading={false}
          onAccept={({ text: name }) => choose(name)}
        />
      </div>
    </div>
  )
}
