import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { templateCategories } from '../../../../forms/templates.ts'
import { kindOf, ofCategory, ofKind } from '../../../../templates/authoring/parts.ts'
import { choicesOf, labelled } from '../../components/fields.ts'
import { Section } from '../../components/Section.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { type DraftState, fieldOf } from './draftState.ts'

const words = templateWords.editor

/** Codes that the upstream takes, to choose from; any other can be typed. */
const codes = [
  'af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr de el gu ha he hi hu id ga it',
  'ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv',
  'ta te th tr uk ur uz vi zu',
].flatMap(codesOfLine => codesOfLine.split(' '))

/** The parts of a draft that an edit cannot change. */
export interface Fixed {
  readonly isCategoryFixed: boolean
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
          <TextInput
            label={templateWords.language}
            description={words.languageHint}
            required
            disabled={fixed !== null}
            autoComplete="off"
            list="template-languages"
            value={draft.language}
            onChange={event => change({ language: event.currentTarget.value })}
            {...fieldOf(state, '/language')}
          />
          <datalist id="template-languages">
            {codes.map(code => (
              <option key={code} value={code} />
            ))}
          </datalist>
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={templateWords.category}
            description={templateWords.categoryHints[draft.category]}
            allowDeselect={false}
            disabled={fixed?.isCategoryFixed ?? false}
            value={draft.category}
            onChange={value =>
              change(ofCategory(draft, templateCategories.find(known => known === value) ?? 'UTILITY'))
            }
            data={templateCategories.map(value => ({ value, label: templateWords.categories[value] }))}
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
