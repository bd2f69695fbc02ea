import type { Implementation } from '@modelcontextprotocol/server'
import { HOME_PAGE } from '#brand/page.ts'
import { withoutLastSlash } from '#platform/base/text.ts'
import { guideName } from '#serving/publications/publications.ts'
import type { Reader } from './tools/tool.ts'

/** The name and description of a server for people: those of the guide or the workspace that it answers for. */
export async function serverInfo(reader: Reader, version: string): Promise<Implementation> {
  const { isGuide, workspace, workspaceName, projects, openPublication, icons } = reader
  const publication = isGuide ? openPublication(projects[0]) : undefined
  const websiteUrl = baseOf(reader)
  const shown = {
    version,
    ...(icons && { icons: await icons(workspace, publication) }),
    // A folder has no website.
    ...(websiteUrl.startsWith('http') && { websiteUrl }),
  }
  if (!publication) return { name: workspaceName, title: workspaceName, description: ABOUT_WORKSPACE, ...shown }
  const home = (await publication.content.pages()).get(HOME_PAGE)
  return {
    name: publication.published.name,
    title: guideName({ publication, workspace: workspaceName }),
    description: home?.description || ABOUT_GUIDE,
    ...shown,
  }
}

export const ABOUT_GUIDE = 'The published guide of a brand: rules, colours, type styles and files.'
export const ABOUT_WORKSPACE = 'Published brand guides: rules, colours, type styles and files.'

/** The address of the guide or workspace that a reader is for. */
export function baseOf({ addresses, workspace, projects, isGuide }: Reader): string {
  const project = isGuide ? (projects[0]?.project ?? '') : ''
  return withoutLastSlash(addresses.project({ workspace, project }))
}
