/**
 * Property tests try the same cases in every run, so that a run which was green stays green. TEST_SEED=N tries others:
 * a case it finds belongs into a test of its own.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) })
