/** Longer names are cut by file systems. */
const charsMax = 150

/** What no name has: control characters, what separates folders, and what turns the direction of writing. */
const refused = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}/\\\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Nor what shows nothing, and what some file systems do not take. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}/\\:*?"<>|]/gu

/** @returns what is wrong with a name that a caller gives to a file; undefined: nothing */
export const fileNameProblem = (name: string): string | undefined =>
  name.search(refused) >= 0 || /^\.+$/.test(name)
    ? 'must be the name of a file: without a folder, control characters and signs that turn the direction of writing'
    : undefined

/** @returns a name that came from elsewhere, as a file can be shown under it */
export const shownName = (name: string): string => bounded(name.replace(refused, '_'))

/** @returns the same, as a file can be saved under it */
export const safeName = (name: string): string => bounded(name.replace(unsafe, '_').replace(/^[. ]+/, ''))

/** The ending is kept. */
function bounded(name: string): string {
  const end = Array.from(name.trim()).slice(-charsMax).join('')
  return /^\.*$/.test(end) ? 'file' : end
}

/** @returns the last part of a link's path, as people read it; undefined: it has none */
export function nameInLink(link: string): string | undefined {
  const last = URL.parse(link)?.pathname.split('/').at(-1) ?? ''
  return last === '' ? undefined : shownName(decoded(last))
}

/** A path may have a `%` that encodes nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** How a file of each type ends. */
const endings: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'video/mp4': '.mp4',
  'video/3gpp': '.3gp',
  'audio/ogg': '.ogg',
  'audio/amr': '.amr',
  'audio/mpeg': '.mp3',
  'audio/aac': '.aac',
  'audio/mp4': '.m4a',
  'application/pdf': '.pdf',
  'text/plain': '.txt',
  'application/msword': '.doc',
  'application/vnd.ms-excel': '.xls',
  'application/vnd.ms-powerpoint': '.ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
}

/** @returns with its dot; empty for a type whose files have no ending that is known here */
export const endingOf = (mimeType: string): string => endings[mimeType.split(';')[0]?.trim() ?? ''] ?? ''

/** @returns the name with the ending of the type, in place of one of another type */
export function nameOfType(name: string, mimeType: string): string {
  const ending = endingOf(mimeType)
  return name.toLowerCase().endsWith(ending) ? name : name.replace(/\.[a-z\d]{1,5}$/i, '') + ending
}
