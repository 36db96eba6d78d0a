import { namesInIndex } from '@tidemark/wire/senders/index-name'
import { aliasFor, type RecordDraft } from '../../record/record-draft.ts'

/** Below what the document says itself. */
const SERVICE = aliasFor('service', 400)
const ENVIRONMENT = aliasFor('environment', 400)

/** Every document keeps the whole name as the attribute `_index`. */
export function readIndexName(draft: RecordDraft, index: string): void {
  const { service, environment } = namesInIndex(index)
  if (draft.value('service') === undefined) draft.offer(SERVICE, '_index', service)
  if (draft.value('environment') === undefined) draft.offer(ENVIRONMENT, '_index', environment)
  draft.keep('_index', index, 1)
}
