import { aliasFor, type RecordDraft } from '../../record/record-draft.ts'

/** Below what the document says itself. */
const SERVICE = aliasFor('service', 400)
const ENVIRONMENT = aliasFor('environment', 400)

/**
 * A data stream is named `logs-<dataset>-<namespace>`: its dataset is the service and its namespace the environment of
 * documents that name none. `generic` and `default` are what Elastic writes where nobody chose a name. Every document
 * keeps the name as the attribute `_index`.
 */
export function readIndexName(draft: RecordDraft, index: string): void {
  const [, dataset = '', namespace = ''] = /^logs-([^-]+)-(.+)$/.exec(index) ?? []
  if (dataset !== '' && dataset !== 'generic' && draft.value('service') === undefined) {
    draft.offer(SERVICE, '_index', dataset)
  }
  if (namespace !== '' && namespace !== 'default' && draft.value('environment') === undefined) {
    draft.offer(ENVIRONMENT, '_index', namespace)
  }
  draft.keep('_index', index, 1)
}
