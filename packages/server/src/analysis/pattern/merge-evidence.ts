/**
 * How much it takes to call a place variable. Each different word there adds its weight, and `ENOUGH` makes a variable:
 * values are many, constants a handful. How many it takes depends on what the words look like and where they stand.
 */
import { HOLED, LIST, LOUD, NAME, PLAIN, TELLING, VERB } from './word-shape.ts'

export const ENOUGH = 100

/** Six. Up to five words in one place are a choice that the program makes: true and false, levels, kinds. */
const WORD_WEIGHT = 17
/** With any other word it is enough: it shows what the others are. */
const TELLTALE_WEIGHT = 84

/** By shape. */
export const WEIGHTS: Record<number, number> = {
  [PLAIN]: WORD_WEIGHT,
  [TELLING]: WORD_WEIGHT,
  [NAME]: WORD_WEIGHT,
  [LIST]: TELLTALE_WEIGHT,
  [HOLED]: TELLTALE_WEIGHT,
  // Nine: states and verbs of requests stand in the program, and each means something else.
  [LOUD]: 12,
  // Seven.
  [VERB]: 15,
}

/** A placeholder among words. */
export const HOLE_WEIGHT = TELLTALE_WEIGHT
/** A value is missing where others have one. */
export const EMPTY_WEIGHT = TELLTALE_WEIGHT
/** A word that is a value elsewhere: three are enough. */
export const KNOWN_VALUE_WEIGHT = 40

/** In per cent. The key of a pair is seldom a value. */
export const KEY_FACTOR = 50

/** Two words say what a message is about; with fewer around it, a place takes more. */
export const CONTEXT_WORDS = 2
export const ENOUGH_WITHOUT_CONTEXT = 200

/** Different texts with the same around them that make a value of a text of several words. */
export const ENOUGH_TEXTS = 6
/** Lengths that such texts have in a sentence: with fewer, the words in them are judged one by one. */
export const ENOUGH_LENGTHS = 3
