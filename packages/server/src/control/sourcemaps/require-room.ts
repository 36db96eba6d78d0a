/** Whether a source map still has room. Only what a new one can have passed is counted, in keys and bounded by these limits. */

import {
  MAX_MAPPED_RELEASES,
  MAX_SOURCE_MAPS_OF_A_PROJECT,
  MAX_SOURCE_MAPS_OF_A_RELEASE,
  MAX_STORED_MAP_BYTES,
} from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ControlTransaction } from '../database/database.ts'

type Added = { release: string; isNewFile: boolean; isNewContent: boolean }

const DELETE_HINT =
  'Delete those of old ones: `tidemark sourcemaps delete --project … --release …`, or Settings, Source maps.'

/** After it was written, with all that it replaced gone: what is thrown undoes all of it. */
export async function requireRoom(
  transaction: ControlTransaction,
  projectId: ProjectId,
  { release, isNewFile, isNewContent }: Added,
): Promise<void> {
  if (isNewFile) {
    await requireRoomForFile(transaction, projectId, release)
    await requireRoomForRelease(transaction, projectId)
  }
  if (!isNewContent) return
  const { bytes } = await transaction
    .selectFrom('source_map_contents')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(bytes ?? 0) > MAX_STORED_MAP_BYTES) {
    throw new AppError(
      'conflict',
      `The source maps of a project's releases take at most ${sizeWords(MAX_STORED_MAP_BYTES)} in the store. ${DELETE_HINT}`,
    )
  }
}

async function requireRoomForFile(
  transaction: ControlTransaction,
  projectId: ProjectId,
  release: string,
): Promise<void> {
  const files = transaction
    .selectFrom('source_maps')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
  const ofRelease = await files.where('release', '=', release).executeTakeFirstOrThrow()
  if (Number(ofRelease.count) > MAX_SOURCE_MAPS_OF_A_RELEASE) {
    throw new AppError(
      'conflict',
      `A release has source maps of at most ${withCommas(MAX_SOURCE_MAPS_OF_A_RELEASE)} files. Upload only the files that browsers load.`,
    )
  }
  const ofProject = await files.executeTakeFirstOrThrow()
  if (Number(ofProject.count) > MAX_SOURCE_MAPS_OF_A_PROJECT) {
    throw new AppError(
      'conflict',
      `The releases of a project have source maps of at most ${withCommas(MAX_SOURCE_MAPS_OF_A_PROJECT)} files together. ${DELETE_HINT}`,
    )
  }
}

async function requireRoomForRelease(transaction: ControlTransaction, projectId: ProjectId): Promise<void> {
  const { count } = await transaction
    .selectFrom('source_map_releases')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(count) > MAX_MAPPED_RELEASES) {
    throw new AppError(
      'conflict',
      `A project has source maps of at most ${withCommas(MAX_MAPPED_RELEASES)} releases. ${DELETE_HINT}`,
    )
  }
}
