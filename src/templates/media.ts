import type {
  ComponentParameter,
  DraftComponent,
  MediaReference,
  PendingMedia,
  SendCard,
  SendComponent,
} from '../graph/wire.ts'
import type { MediaFormat } from '../message/media.ts'

/** An address whose file must be uploaded to the line before the components can be sent. */
export interface MediaLink {
  readonly format: MediaFormat
  readonly link: string
}

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

/**
 * Puts the media ids where the links were; everything else stays as it is.
 * @param idByLink  the id of every link in the components
 * @throws Error when one is missing: a bug of the caller, which has to upload all of them first
 */
export function placeMedia(
  components: readonly DraftComponent[],
  idByLink: ReadonlyMap<string, string>,
): SendComponent[] {
  const place = (component: DraftComponent): SendComponent => {
    if (component.type !== 'carousel')
      return { ...component, parameters: component.parameters.map(parameter => withId(parameter, idByLink)) }
    const cards = component.cards.map(
      (card): SendCard => ({ card_index: card.card_index, components: card.components.map(place) }),
    )
    return { type: 'carousel', cards }
  }
  return components.map(place)
}

function withId(parameter: ComponentParameter<Draft>, idByLink: ReadonlyMap<string, string>): ComponentParameter {
  switch (parameter.type) {
    case 'image':
      return { type: 'image', image: uploaded(parameter.image, idByLink) }
    case 'video':
      return { type: 'video', video: uploaded(parameter.video, idByLink) }
    case 'document':
      return { type: 'document', document: uploaded(parameter.document, idByLink) }
    default:
      return parameter
  }
}

function uploaded(media: Draft, idByLink: ReadonlyMap<string, string>): MediaReference {
  if (!('link' in media)) return media
  const id = idByLink.get(media.link)
  if (id === undefined) throw new Error('placeMedia called before every link was uploaded')
  return { id, ...(media.filename !== undefined && { filename: media.filename }) }
}
