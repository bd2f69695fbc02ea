import type { Element } from 'hast'
import type { Words } from '../words/words.ts'
import { element } from './element.ts'
import type { Media } from './link-target.ts'

/**
 * A video, audio or moving drawing. Its file is loaded when it is played; without a poster, the script loads its first
 * frame near the screen.
 *
 * @param isLoop whether a muted video repeats while it is visible
 */
export function mediaPlayer(
  { kind, src, size, poster, captions }: Media,
  label: string,
  words: Words,
  isLoop = false,
): Element {
  if (kind === 'drawing') {
    const { width, height } = poster ?? {}
    return element('img', { src, width, height, alt: label, loading: 'lazy', decoding: 'async' })
  }
  const { width, height } = size ?? poster ?? {}
  return element(
    kind,
    {
      controls: true,
      ...(isLoop && { muted: true, loop: true, playsInline: true }),
      preload: 'none',
      src,
      poster: poster?.src,
      width,
      height,
      ariaLabel: label,
    },
    captions && captionTrack(captions, words),
  )
}

/** Captions, which readers turn on; browsers show the label in a menu. */
export function captionTrack({ src, lang }: NonNullable<Media['captions']>, { pages }: Words): Element {
  return element('track', { kind: 'captions', src, srcLang: lang, label: `${pages.captions}` })
}
