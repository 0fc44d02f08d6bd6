import { Autocomplete, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import {
  type Category,
  categories,
  emptyBody,
  type HeaderDraft,
  type TemplateDraft,
} from '../../../../templates/authoring/draft.ts'
import { lifetimeSeconds } from '../../../../templates/authoring/limits.ts'
import { choicesOf } from '../../components/choices.ts'
import { labelled } from '../../components/labelled.ts'
import { Section } from '../../components/Section.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { buttonOf } from './ButtonFields.tsx'
import { type DraftState, emptyCard, fieldOf } from './draftState.ts'
import { headerOf } from './HeaderFields.tsx'

const words = templateWords.editor

/** The parts of a draft that an edit cannot change. */
export interface Fixed {
  readonly isCategoryFixed: boolean
}

export type Kind = 'message' | 'carousel' | 'offer'
export const kindOf = ({ cards, offer }: TemplateDraft): Kind =>
  cards.length > 0 ? 'carousel' : offer ? 'offer' : 'message'

/** A category decides what a template may have. */
function ofCategory(draft: TemplateDraft, category: Category): Partial<TemplateDraft> {
  const lifetime = lifetimeSeconds[category] ? {} : { lifetimeSeconds: null }
  if (category === draft.category) return {}
  if (category === 'AUTHENTICATION') {
    return {
      category,
      header: { kind: 'none' },
      body: emptyBody,
      footer: '',
      buttons: [buttonOf('oneTimeCode')],
      cards: [],
      offer: null,
    }
  }
  const wasCode = draft.category === 'AUTHENTICATION' ? { buttons: [] } : {}
  const plain = category === 'UTILITY' ? { cards: [], offer: null } : {}
  return { category, ...wasCode, ...plain, ...lifetime }
}

export function Basics({ state, fixed }: { state: DraftState; fixed: Fixed | null }) {
  const { draft, change } = state
  return (
    <Section title={words.basics}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            {...labelled(words, 'name')}
            required
            disabled={fixed !== null}
            autoComplete="off"
            value={draft.name}
            onChange={event => change({ name: event.currentTarget.value.toLowerCase().replaceAll(/[\s-]/g, '_') })}
            {...fieldOf(state, '/name')}
          />
          <LanguageField state={state} isFixed={fixed !== null} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={templateWords.category}
            description={templateWords.categoryHints[draft.category]}
            allowDeselect={false}
            disabled={fixed?.isCategoryFixed ?? false}
            value={draft.category}
            onChange={value => change(ofCategory(draft, categories.find(known => known === value) ?? 'UTILITY'))}
            data={categories.map(value => ({ value, label: templateWords.categories[value] }))}
          />
          {draft.category === 'MARKETING' && (
            <Select
              {...labelled(words, 'kind')}
              allowDeselect={false}
              value={kindOf(draft)}
              onChange={value => change(ofKind(draft, value))}
              data={choicesOf(words.kinds)}
            />
          )}
        </SimpleGrid>
      </Stack>
    </Section>
  )
}

function ofKind(draft: TemplateDraft, kind: string | null): Partial<TemplateDraft> {
  if (kind === kindOf(draft)) return {}
  if (kind === 'carousel')
    return { cards: [emptyCard, emptyCard], offer: null, header: { kind: 'none' }, footer: '', buttons: [] }
  if (kind === 'offer') {
    const header: HeaderDraft = draft.header.kind === 'video' ? draft.header : headerOf('image', draft.header)
    const buttons = [buttonOf('copyCode'), buttonOf('url')]
    return { offer: { text: '', hasExpiration: true }, cards: [], header, footer: '', buttons }
  }
  return { cards: [], offer: null }
}

/** Codes that the upstream takes, to choose from; any other can be typed. */
const codes =
  'af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr de el gu ha he hi hu id ga it ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv ta te th tr uk ur uz vi zu'.split(
    ' ',
  )

function LanguageField({ state, isFixed }: { state: DraftState; isFixed: boolean }) {
  return (
    <Autocomplete
      label={templateWords.language}
      description={templateWords.editor.languageHint}
      required
      disabled={isFixed}
      value={state.draft.language}
      onChange={language => state.change({ language })}
      data={codes}
      limit={20}
      {...fieldOf(state, '/language')}
    />
  )
}
