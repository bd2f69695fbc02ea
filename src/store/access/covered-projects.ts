import type { ProjectInstance } from '../catalogue/catalogue.ts'
import { nullable, type Row } from '../database/database.ts'
import { type PrintedProperty, stringsOf } from '../database/table.ts'

/** The projects that a person or a connection may see; absent: all of its workspace. */
export type Coverage = { projects?: readonly ProjectInstance[] }

/** The projects that something covers, printed as their ids. Absent: all projects of the workspace. */
export const PROJECTS: PrintedProperty<readonly ProjectInstance[] | undefined, readonly string[] | null> = {
  columns: ['projects', 'instances'],
  read: row => {
    const instances = listOf(row, 'instances')
    return listOf(row, 'projects')?.map((project, at) => ({ project, instance: instances?.[at] ?? '' }))
  },
  values: projects =>
    projects
      ? [JSON.stringify(idsOf(projects)), JSON.stringify(projects.map(({ instance }) => instance))]
      : [null, null],
  state: projects => (projects ? idsOf(projects) : null),
}

function listOf(row: Row, column: string): readonly string[] | undefined {
  return nullable(row, column, stringsOf)
}

function idsOf(projects: readonly ProjectInstance[]): string[] {
  return projects.map(({ project }) => project)
}
