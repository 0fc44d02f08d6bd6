import { safeName } from '../base/fileName.ts'

/** @returns `Content-Disposition` (RFC 6266): to be saved, never shown. Old clients get the name in ASCII */
export function attachment(name: string): string {
  const safe = safeName(name)
  const ascii = safe.replace(/[^\x20-\x7e]/g, '_').replace(/%/g, '_')
  if (ascii === safe) return `attachment; filename="${ascii}"`
  // RFC 8187 3.2.1: besides what encodeURIComponent leaves as it is, four characters must be encoded.
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
