/** Whether the title of a film only says that it plays in a loop, so that it is never shown. */
export function isLoopTitle(title: string | undefined): boolean {
  return title?.trim().toLowerCase() === 'loop'
}
