import type { AdoptOptions } from './options.ts'
import type { GuidePlan, ProjectPlan } from './plan-guide.ts'
import { emptyReport, proveComplete, type Report } from './report/report.ts'
import { siteAddress } from './site/site-address.ts'
import { weighWords } from './site/words.ts'
import { excludedBy } from './sources/leave-out.ts'
import { CODE_OF_OTHERS } from './sources/renditions.ts'
import { type NewFile, shownPath as shown } from './sources/source.ts'

/** The files of new projects, the name of their brand, and what became of each file and word of their sources. */
export type Adopted = { files: NewFile[]; brand: string; report: Report }

/** Gives the files of a plan, and its report. */
export async function writeGuide(plan: GuidePlan, { exclude }: AdoptOptions): Promise<Adopted> {
  const { selection, projects, brand } = plan
  const { all, facts } = selection
  const rows = rowsOf(plan)
  proveComplete(rows, all.map(shown))
  const pages = projects.flatMap(({ texts }) => texts.map(({ content }) => content))
  const excluded = new Set([...exclude.map(excludedBy), CODE_OF_OTHERS])
  const account = await weighWords({ report: rows, entries: all, pages, excluded })
  return { files: projects.flatMap(filesOf), brand, report: { ...rows, account, site: await siteAddress(all, facts) } }
}

function filesOf({ project, settings, texts, files }: ProjectPlan): NewFile[] {
  const written = [...settings, ...texts, ...files.map(({ to, entry }) => ({ to, content: entry }))]
  return written.map(({ to, content }) => ({ to: `${project}/${to}`, content }))
}

function rowsOf({ projects, media, merged, leftOut, notes }: GuidePlan): Report {
  const [{ project: guide } = { project: '' }] = projects
  return {
    ...emptyReport(),
    ...notes,
    projects: projects.map(countsOf),
    placed: projects.flatMap(({ project, pages, files }) => {
      const placed = [...pages, ...files.filter(({ entry }) => !media.has(entry))]
      return placed.map(({ entry, to }) => ({ from: shown(entry), to: `${project}/${to}` }))
    }),
    merged: merged.map(([entry, into]) => ({ from: shown(entry), into: `${guide}/${into}` })),
    leftOut,
  }
}

function countsOf({ project, settings, texts, files, colors, types }: ProjectPlan): Report['projects'][number] {
  const pages = [...settings, ...texts].filter(({ to }) => to.startsWith('pages/')).length
  return { project, pages, colors, types, files: files.length }
}
