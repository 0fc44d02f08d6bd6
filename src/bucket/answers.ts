/*
 * What an S3-compatible store answers. Its XML is flat and has no attributes that matter: each value is read by the
 * name of its element.
 */

/** @returns the text of the first element of this name; null when there is none */
export function element(xml: string, name: string): string | null {
  return elements(xml, name)[0] ?? null
}

/** @returns the texts of all elements of this name, in their order */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => unescaped(text))

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

/** @returns the text as it may stand in an element */
export const escaped = (text: string): string =>
  text.replace(/[&<>]/g, letter => `&${letter === '&' ? 'amp' : letter === '<' ? 'lt' : 'gt'};`)

/** The reason of a refusal is shown whole up to here: an answer may be a page of a proxy. */
const messageCharsMax = 500

/** @returns why the store refused, as it says itself */
export function refusalOf(status: number, body: string): string {
  const [code, message] = [element(body, 'Code'), element(body, 'Message')]
  const said = [code, message === code ? null : message].filter(part => part !== null && part !== '')
  return [`HTTP ${status}`, ...said].join(', ').slice(0, messageCharsMax)
}
