import type { HeaderList } from '../../exchange/message.ts'
import type { Served } from './content-keys.ts'

/**
 * Header fields that let a content delivery network purge the replies of a project (`acme/guidelines`) or of one of its
 * revisions (`acme/guidelines@7`). Networks differ in the name of the field and in the separator.
 */
export function cacheTags({ record, published }: Served): HeaderList {
  const project = `${record.workspace}/${record.project}`
  const revision = `${project}@${published.revision}`
  return ['Cache-Tag', `${project},${revision}`, 'Surrogate-Key', `${project} ${revision}`]
}
