/**
 * Icons that may be shown: what a server says about pictures is a stranger's, and a picture is a way into a renderer.
 *
 * Nothing is fetched here. Whoever fetches one sends no credentials, follows no redirect to another origin, bounds its size, and
 * looks at its first bytes rather than at its declared type. // ICON-03, ICON-04
 */

import { isJsonObject } from '../base/json.ts'
import type { Icon } from '../protocol/types/common.ts'

/** Most icons of one thing that are looked at. */
const MAX_ICONS = 32
/** Longest `data:` icon, in characters: about 190 KiB of picture. */
const MAX_DATA = 256 * 1024
const MAX_URL = 2048

/** Formats of pixels, which run nothing, and how their Base64 begins. // ICON-02 */
const RASTER: ReadonlyMap<string, string> = new Map([
  ['image/png', 'iVBORw0KGgo'],
  ['image/jpeg', '/9j/'],
  ['image/jpg', '/9j/'],
  ['image/webp', 'UklGR'],
  ['image/gif', 'R0lGOD'],
])
/** May contain scripts: only as a picture from a URL, never inside a page. */
const VECTOR = 'image/svg+xml'

/**
 * The icons that a host may show, in their order: `https:` without credentials in it, and `data:` of a raster format that is what
 * it says. With the URL of the server, `https:` icons of other origins go too; a server without one, as on stdio, has no
 * origin, and asking a host of its choice for a picture tells that host of the user. Show SVG in an `<img>`, never inline.
 */
export function safeIcons(icons: unknown, serverUrl?: string): readonly Icon[] {
  if (!Array.isArray(icons)) return []
  const origin = serverUrl === undefined ? undefined : urlOf(serverUrl)?.origin
  return icons
    .slice(0, MAX_ICONS)
    .filter((icon): icon is Icon => isJsonObject(icon) && typeof icon['src'] === 'string')
    .filter(
      (icon) => isShowable(icon) && isSafe(icon.src, { origin, bound: serverUrl !== undefined }),
    )
}

function isShowable({ mimeType }: Icon): boolean {
  if (mimeType === undefined) return true
  if (typeof mimeType !== 'string') return false
  const type = mimeType.toLowerCase()
  return RASTER.has(type) || type === VECTOR
}

function isSafe(
  src: string,
  { origin, bound }: { readonly origin: string | undefined; readonly bound: boolean },
): boolean {
  if (/^data:/i.test(src)) return isRaster(src)
  const url = src.length > MAX_URL ? undefined : urlOf(src)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false // ICON-03
  return !bound || url.origin === origin // ICON-04
}

/** A `data:` URL in Base64 whose first bytes are those of the format that it names. // ICON-04 */
function isRaster(src: string): boolean {
  if (src.length > MAX_DATA) return false
  const comma = src.indexOf(',')
  const [type = '', ...options] = src.slice('data:'.length, comma).toLowerCase().split(';')
  const start = RASTER.get(type)
  const isBase64 = options.length === 1 && options[0] === 'base64'
  return comma > 0 && isBase64 && start !== undefined && src.startsWith(start, comma + 1)
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
