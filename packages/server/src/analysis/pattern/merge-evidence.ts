/**
 * How much it takes to call a place variable. Each different word there adds its weight, and `ENOUGH` makes a variable:
 * values are many, constants few. How many it takes depends on what the words look like and where they stand.
 */
import { HOLED, LIST, LOUD, NAME, PLAIN, TELLING, VERB } from './word-shape.ts'

export const ENOUGH = 100

/** By shape. What is made for one thing is sooner one of many than a word of the language. */
export const WEIGHTS: Record<number, number> = {
  // Four. Two or three words in one place are mostly a choice that the program makes.
  [PLAIN]: 25,
  [TELLING]: 25,
  // Three.
  [NAME]: 40,
  [LIST]: 40,
  // Two.
  [HOLED]: 50,
  // Nine: states and verbs of requests stand in the program, and each means something else.
  [LOUD]: 12,
  // Seven.
  [VERB]: 15,
}

/** A placeholder among words says what the others are, unless they are loud or verbs. */
export const HOLE_WEIGHT = 80
/** A value is missing where others have one. */
export const EMPTY_WEIGHT = 60
/** A word that is a value elsewhere. */
export const KNOWN_VALUE_WEIGHT = 40

/** In per cent. Behind `=`, in quotes and in brackets values are expected: two names are enough, two words are not. */
export const SLOT_FACTOR = 130
/** The key of a pair is seldom a value. */
export const KEY_FACTOR = 50
/** The first word of a message says what it is about. */
export const FIRST_FACTOR = 70

/** Two words say what a message is about; with fewer around it, a place takes more. */
export const CONTEXT_WORDS = 2
export const ENOUGH_WITHOUT_CONTEXT = 200

/**
 * Places that are too little each may be enough together, as three flags are with their eight combinations. In sentences
 * it takes more, because there two choices of the program have many combinations too.
 */
export const ENOUGH_FOR_SENTENCES = 300

/** Different texts in quotes that make a value of a text inside a sentence. */
export const ENOUGH_TEXTS = 4
