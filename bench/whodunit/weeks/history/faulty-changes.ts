/** The commits that incidents come from, and those that end them. */
import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import { type Fault, NOTHING_GIVEN } from '../code/faults.ts'
import { soundLimit } from '../code/function-lines.ts'
import type { ShopFunction } from '../code/functions.ts'
import { assigned, type Change, editLine, lineText } from './change.ts'
import { anybody } from './everyday-changes.ts'

const REASONS = [
  'Partners set it themselves since Monday.',
  'It was the same for everybody before.',
  'Asked for by the people who pack.',
  'Saves one read for every request.',
] as const

const TITLES = [
  'Take the limit of MODULE from where they come from',
  'Let partners decide how many MODULE they get',
  'MODULE: respect what the account allows',
  'Do not read more MODULE than are asked for',
  'Simplify NAME',
  'Use the options of the request in NAME',
] as const

export function breakLimit(random: Random, of: ShopFunction, fault: Fault): Change {
  const expression = fault.expression(of)
  const title = random.pick(TITLES).replace('MODULE', of.module).replace('NAME', of.name)
  return {
    author: anybody(random),
    message: `${title}\n\n${random.pick(REASONS)}\n`,
    apply: (files) => editLine(files, of, 'limit', (text) => [assigned(text, expression)]),
  }
}

/** Is the broken line in this code? */
export function hasBrokenLimit(files: ReadonlyMap<string, string>, of: ShopFunction, fault: Fault): boolean {
  return lineText(files, of, 'limit').includes(fault.expression(of))
}

export function mendLimit(random: Random, of: ShopFunction): Change {
  const most = random.between(5, 60) * 10
  return {
    author: anybody(random),
    message: `${random.pick(['Mend', 'Fix', 'Guard'])} the limit of ${of.module}\n`,
    apply: (files) => editLine(files, of, 'limit', (text) => [assigned(text, soundLimit(of, most))]),
  }
}

/** The function itself stays as it is: its caller hands over less. */
export function breakCall(random: Random, of: ShopFunction): Change {
  return {
    author: anybody(random),
    message: `Hand only the content on to ${of.name}\n\n${random.pick(REASONS)}\n`,
    apply: (files) => editLine(files, of, 'call', (text) => [NOTHING_GIVEN[of.language].given(text)]),
  }
}

export function hasBrokenCall(files: ReadonlyMap<string, string>, of: ShopFunction): boolean {
  return /content|withoutSubject/i.test(lineText(files, of, 'call'))
}

export function mendCall(random: Random, of: ShopFunction): Change {
  return {
    author: anybody(random),
    message: `Hand everything on to ${of.name} again\n`,
    apply: (files) =>
      editLine(files, of, 'call', (text) => [
        text
          .replace('request.body.content', 'request.body')
          .replace('request.withoutSubject()', 'request')
          .replace('body.get("content")', 'body')
          .replace('request.Content', 'request'),
      ]),
  }
}

/** Takes a change back: what it did to one line of a function is undone. */
export function revertOf(change: Change, mend: Change): Change {
  return { ...mend, message: `Revert "${change.message.split('\n')[0]}"\n` }
}
