import { aliasFor, type RecordDraft } from '../../record/record-draft.ts'

/** Below what the document says itself. */
const SERVICE = aliasFor('service', 400)
const ENVIRONMENT = aliasFor('environment', 400)

/** `-2026.10.05`, `-2026-10-05`, `-2026.10` and `-000001`, also one after the other. */
const DATED = /(?:-(?:\d{4}(?:[.-]\d{2}){1,3}|\d{6}))+$/
const VERSION = /^v?\d+(?:\.\d+)*$/

/**
 * A data stream is named `logs-<dataset>-<namespace>`: its dataset is the service and its namespace the environment of
 * documents that name none. `generic` and `default` are what Elastic writes where nobody chose a name. The date or the
 * number of a rollover at the end of a name says nothing about a record, nor does a version in the place of the dataset.
 * Every document keeps the whole name as the attribute `_index`.
 */
export function readIndexName(draft: RecordDraft, index: string): void {
  const name = index.replace(DATED, '')
  const [, dataset = '', namespace = ''] = /^logs-([^-]+)(?:-(.+))?$/.exec(name) ?? []
  const isStream = namespace !== '' || name !== index
  if (
    isStream &&
    dataset !== '' &&
    dataset !== 'generic' &&
    !VERSION.test(dataset) &&
    draft.value('service') === undefined
  ) {
    draft.offer(SERVICE, '_index', dataset)
  }
  if (namespace !== '' && namespace !== 'default' && draft.value('environment') === undefined) {
    draft.offer(ENVIRONMENT, '_index', namespace)
  }
  draft.keep('_index', index, 1)
}
