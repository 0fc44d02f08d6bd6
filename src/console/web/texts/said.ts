import { translator } from './translator.ts'

/** Of the page that is shown. Its words come beside the first answers of the gateway, which wait for them. */
let translate: (text: string) => string | undefined = () => undefined

const { document } = globalThis as { readonly document?: { readonly documentElement: { readonly lang: string } } }

/** An English page needs no more words, and no others are worth a page without them. */
export const areSaidKnown: Promise<unknown> | null =
  document === undefined || document.documentElement.lang === 'en'
    ? null
    : Promise.all([import('./en/reasons.ts'), import('./en/refusals.ts')]).then(
        ([{ reasons }, { refusals }]) => {
          translate = translator({ ...reasons, ...refusals })
        },
        () => null,
      )

/** @returns a reason or a refusal of the gateway in the language of the page; English where it has no words for it */
export const translated = (text: string): string => translate(text) ?? text
