import { field } from '../base/object.ts'
import { type Html, html } from '../site/html.ts'
import type { Words } from '../site/words/words.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import { type WorkspaceFields, workspaceChanges } from '../store/catalogue/workspace-fields.ts'

/** A sentence if publishing a draft makes its guide public or private. */
export function visibilityNote(
  { manage }: Words,
  { draft, published }: Pick<ProjectRecord, 'draft' | 'published'>,
): Html | undefined {
  if (published?.visibility === draft.visibility) return undefined
  return html`<p><strong>${manage.becomes[draft.visibility]}</strong></p>\n`
}

/** The changed fields of the workspace of a draft, as they are served and as they would be. Undefined without any. */
export function workspaceNote({ review, changes }: Words, fields: WorkspaceFields): Html | undefined {
  const rows = workspaceChanges(fields).flatMap(key =>
    partsOf(key, fields).map(({ name, from, to }) => {
      const line = (what: typeof changes.before, value: string | undefined) =>
        html`<dd>${what}: ${value === undefined ? '–' : html`<bdi>${value}</bdi>`}</dd>\n`
      return html`<dt><code dir="ltr">${name}</code></dt>\n${line(changes.before, from)}${line(changes.after, to)}`
    }),
  )
  if (rows.length === 0) return undefined
  return html`<p>${review.workspace}</p>\n<dl class="facts">\n${rows}</dl>\n`
}

type Part = { name: string; from: string | undefined; to: string | undefined }

function partsOf(key: ReturnType<typeof workspaceChanges>[number], { served, draft }: WorkspaceFields): Part[] {
  if (key !== 'theme') return [{ name: key, from: served[key], to: draft[key] }]
  const [before, after] = [parsedTheme(served.theme), parsedTheme(draft.theme)]
  const parts = ['logo', 'accent'].map(name => ({
    name: `theme.${name}`,
    from: valueText(field(before, name)),
    to: valueText(field(after, name)),
    isSame: JSON.stringify(field(before, name)) === JSON.stringify(field(after, name)),
  }))
  return parts.filter(({ isSame }) => !isSame)
}

/** A damaged theme has no parts. */
function parsedTheme(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The path of a logo with the beginning of its hash, because another picture may have the same path. */
function valueText(value: unknown): string | undefined {
  const path = field(value, 'path')
  if (typeof path === 'string') return `${path} (${String(field(value, 'hash')).slice(0, 12)})`
  return typeof value === 'string' ? value : undefined
}
