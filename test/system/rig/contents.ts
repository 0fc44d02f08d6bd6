import { sha256 } from '../../../src/base/crypto.ts'
import { exampleFiles } from '../../../src/sandbox/state/exampleFiles.ts'
import type { LineName } from './deployment.ts'
import type { Owner } from './orders.ts'
import { templateName } from './platform.ts'
import type { Random } from './random.ts'

/** A file that a client uploaded, and that the gateway has answered for. */
export interface KeptFile {
  readonly id: string
  readonly owner: Owner
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A message that can be answered, of a user or an own one. */
export interface Quotable {
  /** The upstream's id, or ours. */
  readonly id: string
  readonly line: LineName
  readonly phone: string
}

/** What an order says, and what its request has to show for it. */
export interface Content {
  readonly fields: Readonly<Record<string, unknown>>
  /** The id of the message that it answers or reacts to. */
  readonly quotes: string | null
  /** SHA-256 of the file that it shows. */
  readonly shows: string | null
}

/** Files of the stand-in, at links that the gateway may follow. Each is uploaded once for each line. */
const linkedNames = ['tulip', 'rose', 'lily']
const linkedHash = sha256(exampleFiles.image?.bytes ?? new Uint8Array())
const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** More than one packet, so that a kill finds half of it. */
const fileBytes = 100_000

/** @returns a picture that no other one equals */
export function newPicture(random: Random): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fileBytes).fill(random.whole(0, 255))
  bytes.set(pngStart)
  for (let at = pngStart.length; at < 32; at += 1) bytes[at] = random.whole(0, 255)
  return bytes
}

/** Animals, 64 of them. Those of one order are joined to one sign, as families are. */
const firstAnimal = 0x1f400
const animals = 64
const joiner = '\u200d'

/** A reaction has no words: the number of its order is written in its emoji. */
const emojiOf = (order: number) =>
  [4_096, 64, 1].map(unit => String.fromCodePoint(firstAnimal + (Math.floor(order / unit) % animals))).join(joiner)

const orderOf = (emoji: string) =>
  emoji.split(joiner).reduce((sum, sign) => sum * animals + (sign.codePointAt(0) ?? 0) - firstAnimal, 0)

/** The name of an order by its number: what its request is known by. */
export const tagOf = (order: number) => `order-${order}`

/** Draws what an order says. */
export function drawContent(
  random: Random,
  order: number,
  { files, upstreamUrl }: { readonly files: readonly KeptFile[]; readonly upstreamUrl: string },
  quoted: Quotable | null,
): Content {
  const tag = tagOf(order)
  const plain = (fields: Content['fields'], shows: string | null = null): Content => ({
    fields: { ...fields, ...(quoted && { replyTo: quoted.id }) },
    quotes: quoted?.id ?? null,
    shows,
  })
  // The upstream takes reactions to what users wrote.
  if (quoted?.id.startsWith('wamid.') && random.chance(0.4))
    return { fields: { type: 'reaction', messageId: quoted.id, emoji: emojiOf(order) }, quotes: quoted.id, shows: null }
  const draw = random.next()
  if (draw < 0.25) return plain({ type: 'template', templateName, templateVariables: { 1: tag } })
  if (draw < 0.6 || (draw < 0.75 && files.length === 0)) return plain({ type: 'text', content: tag })
  if (draw < 0.75) {
    const { id, bytes } = random.pick(files)
    return plain({ type: 'image', mediaId: id, caption: tag }, sha256(bytes))
  }
  if (draw < 0.85) {
    const link = `${upstreamUrl}/sandbox/files/image/${random.pick(linkedNames)}.png`
    return plain({ type: 'image', link, caption: tag }, linkedHash)
  }
  if (draw < 0.93) return plain({ type: 'location', latitude: 52.5, longitude: 13.4, name: tag })
  return plain({ type: 'contacts', contacts: [{ name: { formattedName: tag, firstName: 'Ada' } }] })
}

/** What the stand-in was sent, as far as the orders say it. */
export interface Sent {
  readonly tag: string
  readonly quotes: string | null
  /** The upstream's id of the file. */
  readonly mediaId: string | null
}

/** Reads the request of an order. */
export function sentOf(body: unknown): Sent {
  const { text, template, image, location, contacts, reaction, context } = body as {
    text?: { body: string }
    template?: { components: { parameters: { text: string }[] }[] }
    image?: { id: string; caption: string }
    location?: { name: string }
    contacts?: { name: { formatted_name: string } }[]
    reaction?: { message_id: string; emoji: string }
    context?: { message_id: string }
  }
  const words =
    text?.body ??
    template?.components[0]?.parameters[0]?.text ??
    image?.caption ??
    location?.name ??
    contacts?.[0]?.name.formatted_name
  return {
    tag: words ?? (reaction ? tagOf(orderOf(reaction.emoji)) : ''),
    quotes: reaction?.message_id ?? context?.message_id ?? null,
    mediaId: image?.id ?? null,
  }
}
