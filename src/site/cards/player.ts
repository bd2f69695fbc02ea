import type { Element } from 'hast'
import { element } from './element.ts'
import type { Media } from './link-target.ts'

/** How media is played: `isLoop` for a muted video that repeats while it is visible. */
type PlayerOptions = { label: string; captions: string; isLoop?: boolean }

/** A video, audio or moving drawing. Its file is loaded when it is played, its first frame only if it has no poster. */
export function mediaPlayer(
  { kind, src, poster, captions }: Media,
  { label, captions: captionsLabel, isLoop = false }: PlayerOptions,
): Element {
  if (kind === 'drawing') {
    const { width, height } = poster ?? {}
    return element('img', { src, width, height, alt: label, loading: 'lazy', decoding: 'async' })
  }
  return element(
    kind,
    {
      controls: true,
      ...(isLoop && { muted: true, loop: true, playsInline: true }),
      preload: poster || kind === 'audio' ? 'none' : 'metadata',
      src,
      poster: poster?.src,
      width: poster?.width,
      height: poster?.height,
      ariaLabel: label,
    },
    captions && captionTrack(captions, captionsLabel),
  )
}

/** Captions, which readers turn on; browsers show the label in a menu. */
export function captionTrack({ src, lang }: NonNullable<Media['captions']>, label: string): Element {
  return element('track', { kind: 'captions', src, srcLang: lang, label })
}
