import { stringify } from 'yaml'
import { type Notes, noNotes } from './report/report.ts'
import type { FilePlan } from './site/links.ts'
import type { SiteFacts } from './sources/facts.ts'

/** The texts of `files/files.yaml` (undefined if it would be empty) and `project.yaml`, with what was guessed. */
export function describeProject(
  facts: SiteFacts,
  _files: readonly FilePlan[],
  title: string,
): { projectYaml: string; filesYaml: string | undefined; notes: Notes } {
  return {
    projectYaml: stringify({ name: facts.name ?? title, visibility: 'private' }),
    filesYaml: undefined,
    notes: noNotes(),
  }
}
