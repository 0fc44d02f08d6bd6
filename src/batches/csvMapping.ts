/** The fields of a send that a column may fill, beside the values of its template. One of the first three names who. */
export const csvFields = ['phone', 'userId', 'contactId', 'reference', 'templateLanguage', 'sendAt', 'content'] as const
export type CsvField = (typeof csvFields)[number]
export const csvRecipients = ['phone', 'userId', 'contactId'] as const satisfies readonly CsvField[]

/** Which column (its place in the header, from 0) fills what. One column may fill several. */
export interface CsvMapping {
  readonly fields: Readonly<Partial<Record<CsvField, number>>>
  /** By the key of `templateVariables`. */
  readonly values: Readonly<Record<string, number>>
}

/** Words of headers, as `plain` writes them, in the languages of the console; the better ones first. */
const words: Readonly<Record<CsvField, readonly string[]>> = {
  phone: [
    ...['phone', 'phonenumber', 'mobile', 'mobilephone', 'mobilenumber', 'cellphone', 'cell', 'whatsapp', 'msisdn'],
    ...['telefon', 'telefonnummer', 'handy', 'handynummer', 'mobil', 'mobilnummer', 'mobiltelefon', 'rufnummer'],
    ...['telefono', 'movil', 'telefonomovil', 'celular', 'telefone', 'telemovel', 'fone'],
    ...['tel', 'number', 'nummer', 'numero', 'recipient', 'to'],
  ],
  userId: ['userid', 'bsuid'],
  contactId: ['contactid', 'contact'],
  reference: ['reference', 'ref', 'referenz', 'referencia'],
  templateLanguage: ['templatelanguage', 'language', 'lang', 'sprache', 'idioma', 'lingua'],
  sendAt: ['sendat'],
  content: ['content', 'text', 'texto', 'message', 'nachricht', 'mensaje', 'mensagem'],
}

/** Letters and digits alone, without accents: `Telefon-Nr.`, `telefon_nr` and `TELEFON NR` are one. */
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** What a column of a numbered value is called: `1`, `{{1}}`, `value 1`, `variable_1`. */
const numbered = (key: string) => [key, `value${key}`, `variable${key}`, `var${key}`, `body${key}`].map(plain)

/**
 * Proposes which column fills what, by the names of the columns alone: what is guessed by its place would send one
 * person's value as another. A person looks at it before anything is sent.
 * @param keys of the template's values that a send must fill. Null: a text is sent, which a column may have
 */
export function proposeMapping(header: readonly string[], keys: readonly string[] | null): CsvMapping {
  const names = header.map(plain)
  const free = new Set(names.keys())
  const find = (wanted: readonly string[]): number | undefined => {
    const at = wanted.map(word => names.findIndex((name, at) => free.has(at) && name !== '' && name === word))
    const found = at.find(place => place >= 0)
    if (found !== undefined) free.delete(found)
    return found
  }
  const values = new Map<string, number>()
  // A value that is called as its column is meant by it, also where its name is a word of a field.
  for (const key of keys ?? []) {
    const at = find(/^\d+$/.test(key) ? numbered(key) : [plain(key)])
    if (at !== undefined) values.set(key, at)
  }
  const fields: Partial<Record<CsvField, number>> = {}
  const offered = csvFields.filter(field => (keys === null ? field !== 'templateLanguage' : field !== 'content'))
  for (const field of offered) {
    const isSecond = csvRecipients.some(
      other => other === field && csvRecipients.some(one => fields[one] !== undefined),
    )
    // An id of who is named already is no value either.
    const at = find(words[field])
    if (at !== undefined && !isSecond) fields[field] = at
  }
  return { fields, values: Object.fromEntries(values) }
}
