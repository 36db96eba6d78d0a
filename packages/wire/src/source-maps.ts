/** Source maps: `PUT /v1/sourcemaps`, and what people see of them under `/api/projects/:projectId/sourcemaps`. */
import { z } from 'zod'
import { MAX_LIMIT, MAX_MAPPED_FILE_CHARACTERS, MAX_NAME_CHARACTERS } from './limits.ts'

const release = z.string().min(1).max(MAX_NAME_CHARACTERS)

/** The query of an upload. */
export const sourceMapInput = z.object({
  release: release.describe('As the records of the release have it in `release`.'),
  file: z
    .string()
    .min(1)
    .max(MAX_MAPPED_FILE_CHARACTERS)
    .describe('The generated file as stacks name it: its path below the build folder, or its address.'),
})

export const sourceMapAnswer = z.object({
  /** `unchanged`: the release has this very map of the file already. */
  result: z.enum(['created', 'replaced', 'unchanged']),
  release: z.string(),
  file: z.string(),
  sources: z.number(),
  mappings: z.number(),
})

const limit = z.int().min(1).max(MAX_LIMIT).optional()

/** By name, beginning after one. */
export const sourceMapReleasesInput = z.object({ after: z.string().max(MAX_NAME_CHARACTERS).optional(), limit })

export const sourceMapFilesInput = z.object({
  release,
  after: z.string().max(MAX_MAPPED_FILE_CHARACTERS).optional(),
  limit,
})

export const deleteSourceMapsInput = z.object({ release })

const mappedRelease = z.object({
  release: z.string(),
  files: z.number(),
  /** What they take in the store; files that several releases share count with each. */
  bytes: z.number(),
  uploadedAt: z.string(),
  /** When an error of the release was last read by one; null when none was since a map was last sent. */
  usedAt: z.string().nullable(),
})

/** `nextAfter` is for the next page; null on the last one. */
export const sourceMapReleasesAnswer = z.object({
  releases: z.array(mappedRelease),
  nextAfter: z.string().nullable(),
})

export const sourceMapFilesAnswer = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      bytes: z.number(),
      sources: z.number(),
      mappings: z.number(),
      uploadedAt: z.string(),
    }),
  ),
  nextAfter: z.string().nullable(),
})

export const deletedSourceMapsAnswer = z.object({ release: z.string(), files: z.number() })

export type SourceMapInput = z.infer<typeof sourceMapInput>
export type SourceMapAnswer = z.infer<typeof sourceMapAnswer>
export type SourceMapReleasesInput = z.infer<typeof sourceMapReleasesInput>
export type SourceMapReleasesAnswer = z.infer<typeof sourceMapReleasesAnswer>
export type SourceMapFilesInput = z.infer<typeof sourceMapFilesInput>
export type SourceMapFilesAnswer = z.infer<typeof sourceMapFilesAnswer>
export type DeletedSourceMapsAnswer = z.infer<typeof deletedSourceMapsAnswer>
