import { basename, join } from 'node:path'
import { withoutUndefined } from '../base/object.ts'
import { failed, ok, type Result } from '../base/result.ts'
import { quote } from '../base/text.ts'
import type { Problem } from '../brand/finding.ts'
import type { WorkspaceLogo, WorkspaceTheme } from '../brand/workspace-theme.ts'
import { identityOf, versionOf } from './folder/file-version.ts'
import { fileChunks, type OpenFile, openFile } from './folder/open-file.ts'
import { unreadableProblem } from './folder/unreadable.ts'
import { resolvePath } from './pages/link-target.ts'
import type { WrittenWorkspaceTheme } from './project/workspace.ts'
import type { ProjectOptions } from './reading.ts'
import { missingReference, type Reference } from './yaml/references.ts'

/** The theme with its logo, which is stored; a problem if the logo cannot be used. */
export async function resolveWorkspaceTheme(
  root: string,
  { logo: written, accent }: WrittenWorkspaceTheme,
  options: LogoOptions,
): Promise<Result<WorkspaceTheme, Problem>> {
  const logo = written ? await readLogo(root, written, options) : ok(undefined)
  return logo.ok ? ok(withoutUndefined({ logo: logo.value, accent })) : logo
}

type LogoOptions = Pick<ProjectOptions, 'writer' | 'media'>

async function readLogo(
  root: string,
  written: Reference,
  { writer, media }: LogoOptions,
): Promise<Result<WorkspaceLogo, Problem>> {
  const { text, line } = written
  const unusable = (why: string) =>
    failed({ rule: 'value-invalid' as const, line, message: `"logo" is ${quote(text)}, which ${why}` })
  const path = resolvePath('', text) ?? ''
  const place = join(root, path)
  try {
    const { stat, size } = stateOf(place)
    if (size > MAX_BYTES) return unusable('has more than 1 MB; write the path of a smaller picture')
    const { contentType, metadata = {} } = await media.read(place, basename(path), versionOf(stat))
    if (!BROWSER_PICTURE.test(contentType))
      return unusable('is not an SVG, PNG, JPEG, WebP, AVIF or GIF; export it as one')
    const { width, height } = 'width' in metadata ? metadata : {}
    if (!width || !height) return unusable('has no width and height; export it again')
    const hash = await writer.file(fileChunks(place, identityOf(stat)))
    return ok({ path, size, contentType, hash, width: Math.ceil(width), height: Math.ceil(height) })
  } catch (error) {
    const problem = unreadableProblem(error, path)
    if (problem.rule === 'unreadable') return failed({ ...problem, line })
    return failed(missingReference('"logo"', written, 'is not a file below the folder of workspace.yaml', undefined))
  }
}

function stateOf(place: string): Pick<OpenFile, 'stat' | 'size'> {
  using file = openFile(place)
  return { stat: file.stat, size: file.size }
}

const MAX_BYTES = 1_000_000
const BROWSER_PICTURE = /^image\/(?:avif|gif|jpeg|png|svg\+xml|webp)$/
