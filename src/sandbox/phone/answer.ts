import type { SandboxLine } from '../callbacks/statuses.ts'
import { fileKindOf } from '../checks/sniff.ts'
import { readMultipart } from '../http/multipart.ts'
import type { SandboxState } from '../state/sandboxState.ts'

/** @returns the line that a user writes to: that of the message which is answered, else the first one */
export const writtenTo = ({ journal, lines }: SandboxState, answered: string): SandboxLine | undefined => {
  const entry = answered === '' ? undefined : journal.find().find(({ wamid }) => wamid === answered)
  return lines.get(entry?.line ?? '') ?? lines.values().next().value
}

/** What the form of a phone was filled with, as a message of its user; null when nothing was. */
export async function writtenOnPhone(
  state: SandboxState,
  request: Request,
): Promise<{ readonly user: string; readonly input: object | null }> {
  const bytes = Buffer.from(await request.arrayBuffer())
  const parts = readMultipart(request.headers.get('content-type') ?? '', bytes)
  const plain = new URLSearchParams(parts ? '' : bytes.toString())
  const part = (name: string) => parts?.find(each => each.name === name)
  const text = (name: string) => (part(name)?.bytes.toString() ?? plain.get(name) ?? '').trim()
  const [user, answered, emoji, words] = [text('user'), text('contextId'), text('emoji'), text('text')]
  const line = writtenTo(state, answered)
  const shared = { from: user, ...(line && { line: line.id }), ...(answered !== '' && { contextId: answered }) }
  if (answered !== '' && emoji !== '') return { user, input: { kind: 'reaction', ...shared, emoji } }
  const file = part('file')
  // A browser sends an empty part where no file was chosen.
  if (file && file.bytes.length > 0) {
    const kind = fileKindOf(file.type) ?? 'document'
    const given = { mimeType: file.type, base64: file.bytes.toString('base64') }
    return { user, input: { kind, ...shared, ...(words !== '' && { text: words }), file: given } }
  }
  return { user, input: words === '' && user !== '' ? null : { kind: 'text', ...shared, text: words } }
}
