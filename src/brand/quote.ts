/**
 * A text that somebody wrote, as a message shows it: in double quotes, on one line, at most 60 characters of it, with
 * whatever could steer a terminal or hide itself (control and format characters) as an escape.
 */
export function quote(text: string): string {
  const shown = [...text.slice(0, 122)]
  const cut = shown.length > 60 ? `${shown.slice(0, 60).join('')}…` : shown.join('')
  return JSON.stringify(cut).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
