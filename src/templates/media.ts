import { pointer } from '../base/issues.ts'
import type {
  ComponentParameter,
  DraftComponent,
  MediaReference,
  PendingMedia,
  SendCard,
  SendComponent,
} from '../graph/wire.ts'
import type { MediaFormat } from '../message/media.ts'
import { noteMedia, type RenderNotes } from './notes.ts'
import { isKeptFile, type TextMap, valueIn } from './values.ts'

type Draft = MediaReference | PendingMedia

/** The parameter of a media header, uploaded or not. */
export function mediaParameter<M extends Draft>(format: MediaFormat, media: M): ComponentParameter<M> {
  switch (format) {
    case 'image':
      return { type: 'image', image: media }
    case 'video':
      return { type: 'video', video: media }
    case 'document':
      return { type: 'document', document: media }
  }
}

/** A file as the line has it. */
export interface PlacedFile {
  readonly id: string
  /** What a document is shown as, where the send does not say it. */
  readonly name: string | null
}

type PlacedFiles = ReadonlyMap<string, PlacedFile>

/**
 * Puts the media ids where the links were; everything else stays as it is.
 * @param files  every link in the components
 * @throws Error when one is missing: a bug of the caller, which has to upload all of them first
 */
export function placeMedia(components: readonly DraftComponent[], files: PlacedFiles): SendComponent[] {
  const place = (component: DraftComponent): SendComponent => {
    if (component.type !== 'carousel')
      return { ...component, parameters: component.parameters.map(parameter => withId(parameter, files)) }
    const cards = component.cards.map(
      (card): SendCard => ({ card_index: card.card_index, components: card.components.map(place) }),
    )
    return { type: 'carousel', cards }
  }
  return components.map(place)
}

function withId(parameter: ComponentParameter<Draft>, files: PlacedFiles): ComponentParameter {
  switch (parameter.type) {
    case 'image':
      return { type: 'image', image: uploaded(parameter.image, files) }
    case 'video':
      return { type: 'video', video: uploaded(parameter.video, files) }
    case 'document':
      return { type: 'document', document: named(parameter.document, files) }
    default:
      return parameter
  }
}

function uploaded(media: Draft, files: PlacedFiles): MediaReference {
  if (!('link' in media)) return media
  const file = files.get(media.link)
  if (file === undefined) throw new Error('placeMedia called before every link was uploaded')
  return { id: file.id, ...(media.filename !== undefined && { filename: media.filename }) }
}

/** A document has a name. */
function named(media: Draft, files: PlacedFiles): MediaReference {
  const name = 'link' in media ? files.get(media.link)?.name : files.get(media.id)?.name
  return { ...(name && { filename: name }), ...uploaded(media, files) }
}

/** @returns the upstream's id of the document in the header, when it is shown without a name */
export function unnamedDocument(components: readonly DraftComponent[]): string | null {
  for (const component of components) {
    const [parameter] = component.type === 'header' ? component.parameters : []
    if (parameter?.type !== 'document' || !('id' in parameter.document)) continue
    return parameter.document.filename === undefined ? parameter.document.id : null
  }
  return null
}

/**
 * The file of a header, as `templateVariables` name it: by a link, or by an id. One to be uploaded is noted.
 * @param prefix of the variables: that of a card, or none
 */
export function givenMedia(
  format: MediaFormat,
  variables: TextMap,
  prefix: string,
  found: RenderNotes,
): Draft | undefined {
  const id = valueIn(variables, `${prefix}header`)
  if (id !== undefined && !isKeptFile(id)) return { id }
  const link = id ?? valueIn(variables, `${prefix}header_link`)
  if (link === undefined) return undefined
  const key = `${prefix}${id === undefined ? 'header_link' : 'header'}`
  noteMedia(found, { format, link, path: pointer('templateVariables', key) })
  return { link }
}
