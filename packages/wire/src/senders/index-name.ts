/** `-2026.10.05`, `-2026-10-05`, `-2026.10` and `-000001`, also one after the other. */
const DATED = /(?:-(?:\d{4}(?:[.-]\d{2}){1,3}|\d{6}))+$/
const VERSION = /^v?\d+(?:\.\d+)*$/

/**
 * A data stream of Elasticsearch is named `logs-<dataset>-<namespace>`: its dataset is the service and its namespace the
 * environment of documents that name none. `generic` and `default` are what Elastic writes where nobody chose a name. The
 * date or the number of a rollover at the end of a name says nothing about a record, nor does a version in the place of
 * the dataset.
 */
export function namesInIndex(index: string): { service?: string; environment?: string } {
  const name = index.replace(DATED, '')
  const [, dataset = '', namespace = ''] = /^logs-([^-]+)(?:-(.+))?$/.exec(name) ?? []
  const isStream = namespace !== '' || name !== index
  const isService = isStream && dataset !== '' && dataset !== 'generic' && !VERSION.test(dataset)
  return {
    ...(isService && { service: dataset }),
    ...(namespace !== '' && namespace !== 'default' && { environment: namespace }),
  }
}
