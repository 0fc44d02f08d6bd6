import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { emptyDraft, type TemplateDraft } from '../../../../templates/authoring/draft.ts'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Waiting } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { texts } from '../../texts/texts.ts'
import { useDraft } from './draftState.ts'
import type { UploadTarget } from './HeaderFields.tsx'
import { listPath, newPath, templatePath } from './paths.ts'
import { type ShownTemplate, templateQuery, templatesQuery, useTemplateChange } from './queries.ts'
import { TemplateForm } from './TemplateForm.tsx'

const words = texts.templates.editor

/** What is needed to know of the line's channel. */
export function useUploadTarget(workspaceId: string, phoneNumberId: string) {
  const { data, error, refetch } = useQuery(
    templatesQuery(workspaceId, phoneNumberId, { search: '', status: '', offset: 0 }),
  )
  const target: UploadTarget | undefined = data && {
    phoneNumberId,
    channelId: data.channelId,
    canUpload: data.canUpload,
  }
  return { target, error, refetch }
}

/** A new template, or with `?copy=` one like another. */
export function NewTemplate() {
  const { id: workspaceId } = useWorkspace()
  const { phoneNumberId = '' } = useParams()
  const [search] = useSearchParams()
  const copyOf = search.get('copy')
  const { target, error, refetch } = useUploadTarget(workspaceId, phoneNumberId)
  const copied = useQuery({ ...templateQuery(workspaceId, copyOf ?? ''), enabled: copyOf !== null })
  const failure = error ?? copied.error
  if (failure) return <ErrorView error={failure} onRetry={() => void refetch()} />
  const original = copied.data?.template
  if (!target || (copyOf !== null && !original)) return <Waiting />
  return (
    <>
      <PageHeader
        title={original ? words.duplicateTitle(original.name) : words.createTitle}
        description={words.description}
        back={{ to: listPath(workspaceId, phoneNumberId), label: texts.templates.back }}
      />
      <Creation workspaceId={workspaceId} target={target} original={original ?? null} />
    </>
  )
}

const nameCharsMax = 512
const copyName = (name: string) => `${name.slice(0, nameCharsMax - 5)}_copy`

function Creation(props: { workspaceId: string; target: UploadTarget; original: ShownTemplate | null }) {
  const { workspaceId, target, original } = props
  const [initial] = useState(() => (original ? { ...original.draft, name: copyName(original.name) } : emptyDraft))
  const state = useDraft(initial, newPath(workspaceId, target.phoneNumberId, original?.id))
  const [, navigate] = useLocation()
  const { phoneNumberId } = target
  const create = useTemplateChange(workspaceId, (draft: TemplateDraft) =>
    answerOf(api.workspaces({ workspaceId }).templates.post({ phoneNumberId, draft: mutable(draft) })),
  )
  return (
    <TemplateForm
      state={state}
      target={target}
      fixed={null}
      change={create}
      onSubmit={() =>
        create.mutate(state.draft, {
          onSuccess: ({ template }) => {
            state.forget()
            navigate(templatePath(workspaceId, phoneNumberId, template.id))
          },
        })
      }
    />
  )
}

type Mutable<Value> = Value extends object ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> } : Value

/** The route's type has no `readonly`; nothing is changed. */
export const mutable = (draft: TemplateDraft) => draft as Mutable<TemplateDraft>
