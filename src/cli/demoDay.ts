import { minuteMs } from '../base/durations.ts'
import type { InboundInput } from '../sandbox/callbacks/inboundInput.ts'
import type { Control } from '../sandbox/server.ts'
import { DELAYS } from '../sandbox/state/defaults.ts'
import type { DemoClock } from './demoClock.ts'

/*
 * A day of a small shop, so that a first look at the console shows an inbox: played through the API and the stand-in's
 * control routes, in moments, on a clock that is behind. Numbers are of ranges that are reserved for fiction.
 */

const marie = { from: '+33639980123', name: 'Marie Dubois' }
const jonas = { from: '+491713920042', name: 'Jonas Weber' }
const olivia = { from: '+447700900123', name: 'Olivia Smith' }
const noah = { from: '+447700900456', name: 'Noah Brown' }
const sam = { from: '+12025550143', name: 'Sam Lee' }
const amina = { from: '+12025550147', name: 'أمينة حسن' }
/** Found by nobody: the sandbox reports 131026. */
const unreachable = { from: '+15550111026' }
type Person = Pick<InboundInput, 'from' | 'name'>

/** The body of a send, without its recipient. */
type Sent =
  | { readonly type: 'text'; readonly content: string }
  | {
      readonly type: 'template'
      readonly templateName: string
      readonly templateLanguage: string
      readonly templateVariables: Readonly<Record<string, string>>
    }

/** @param ago minutes before now */
interface Step {
  readonly ago: number
  readonly person: Person
  readonly says?: Omit<InboundInput, 'from' | 'name'>
  readonly gets?: Sent
  /** For the header of a template. It is given as a file, no link: the console shows what the gateway has. */
  readonly file?: string
  readonly stopsMarketing?: true
}

const says = (ago: number, person: Person, said: string | Step['says']): Step => ({
  ...{ ago, person },
  says: typeof said === 'object' ? said : { kind: 'text', ...(said !== undefined && { text: said }) },
})
const gets = (ago: number, person: Person, content: string): Step => ({
  ...{ ago, person },
  gets: { type: 'text', content },
})
const template = (
  ago: number,
  person: Person,
  name: string,
  language: string,
  values: Record<string, string>,
  file?: string,
): Step => ({
  ...{ ago, person, ...(file !== undefined && { file }) },
  gets: { type: 'template', templateName: name, templateLanguage: language, templateVariables: values },
})
const ordered = (ago: number, person: Person, order: string, name: string, language = 'en_US') =>
  template(ago, person, 'order_confirmation', language, { 1: order, 2: name })
const coupon = (ago: number, person: Person) =>
  template(ago, person, 'coupon_reminder', 'en_US', { 1: 'SUMMER20', 2: '10', copy_code: 'SUMMER20' })

const day: readonly Step[] = [
  ordered(540, marie, '1041', 'Marie'),
  ordered(538, jonas, '1042', 'Jonas', 'de'),
  ordered(533, olivia, '1043', 'Olivia'),
  ordered(527, noah, '1044', 'Noah'),
  ordered(521, unreachable, '1045', 'Zoe'),
  says(500, marie, 'Good morning! When will my order 1041 arrive?'),
  gets(496, marie, 'Good morning Marie! It leaves today and is with you tomorrow before noon.'),
  says(495, marie, { kind: 'reaction', emoji: '❤' }),
  says(494, marie, 'Wonderful, thank you!'),
  coupon(470, sam),
  coupon(469, olivia),
  coupon(468, noah),
  says(455, sam, { kind: 'button', title: 'Stop' }),
  { ago: 454, person: sam, stopsMarketing: true },
  gets(450, sam, 'You get no more offers from us. We go on to answer questions and to tell you about orders.'),
  says(430, amina, 'مرحبا، هل ما زالت نبتة الصبار متوفرة؟'),
  gets(425, amina, 'نعم، لدينا ثلاث منها. هل نحجز لك واحدة؟'),
  says(423, amina, { kind: 'audio' }),
  gets(415, amina, 'حجزنا لك واحدة حتى يوم الغد.'),
  template(380, olivia, 'photo_ready', 'en_US', {}, 'image/photo.jpg'),
  says(372, olivia, { kind: 'image', text: 'It has found its place!' }),
  says(371, olivia, { kind: 'sticker' }),
  gets(365, olivia, 'That looks lovely. Water it once a week.'),
  says(300, noah, 'Do you deliver to my office?'),
  says(299, noah, { kind: 'location' }),
  gets(292, noah, 'We do: today between 4 and 6 pm.'),
  template(240, noah, 'invoice_ready', 'en_US', { 1: 'R-2026-7' }, 'document/invoice.pdf'),
  says(236, noah, { kind: 'document', file: { name: 'purchase-order.pdf' }, text: 'And here is our purchase order.' }),
  gets(230, noah, 'It is here, thank you.'),
  template(200, olivia, 'video_guide', 'en_US', { 1: 'aloe' }, 'video/guide.mp4'),
  says(180, marie, { kind: 'video', text: 'My aloe: is this too much sun?' }),
  gets(172, marie, 'A little less of it, and it will be happy.'),
  template(150, jonas, 'delivery_update', 'en', { first_name: 'Jonas', parcel: 'P-17', day: 'Saturday' }),
  says(140, jonas, { kind: 'button', title: 'Another day' }),
  gets(135, jonas, 'Gern. Welcher Tag passt Ihnen?'),
  says(131, jonas, 'Freitag ab 16 Uhr?'),
  gets(128, jonas, 'Freitag zwischen 16 und 18 Uhr ist eingetragen.'),
  ordered(90, { from: '+12025550161' }, '1046', 'Lena'),
  ordered(75, { from: '+493023125017' }, '1047', 'Emil', 'de'),
  says(40, jonas, 'Kann ich noch Blumenerde dazu bestellen?'),
  says(22, amina, 'وهل توصلون إلى المنزل؟'),
  says(9, olivia, 'Do you have a bigger pot for it?'),
  says(8, olivia, 'About 20 cm'),
]

/** How far the clock of a new demo is behind. */
export const dayLengthMs = 10 * 60 * minuteMs

/**
 * Plays the day, step by step, and leaves the clock at now.
 * @param parts.send sends a message as a caller does
 * @param parts.giveFile gives a file of the stand-in to the gateway, as a caller does, and answers its id
 * @param parts.keepFiles fetches what is to be fetched: its address does not live until the next step
 * @param parts.moveConversations puts them in the order of their last words, before the next step
 */
export async function playDay({
  clock,
  control,
  send,
  giveFile,
  keepFiles,
  moveConversations,
}: {
  readonly clock: DemoClock
  readonly control: Pick<Control, 'configure' | 'inbound' | 'optOut'>
  readonly send: (body: object) => Promise<unknown>
  readonly giveFile: (file: string) => Promise<string>
  readonly keepFiles: () => Promise<void>
  readonly moveConversations: () => Promise<void>
}): Promise<void> {
  // Else what is read a second later would be read at the time of the next step.
  control.configure({ callbacks: { deliveredAfterMs: 0, readAfterMs: 0 } })
  for (const { ago, person, says, gets, file, stopsMarketing } of day) {
    clock.catchUp(ago * minuteMs)
    if (says) await control.inbound({ ...says, ...person })
    if (gets) {
      const body = { ...gets, phone: person.from }
      if (gets.type === 'template' && file !== undefined)
        await send({ ...body, templateVariables: { ...gets.templateVariables, header: await giveFile(file) } })
      else await send(body)
    }
    if (stopsMarketing) await control.optOut(person)
    await keepFiles()
    await moveConversations()
  }
  clock.catchUp(0)
  const { deliveredAfterMs, readAfterMs } = DELAYS
  control.configure({ callbacks: { deliveredAfterMs, readAfterMs } })
}
