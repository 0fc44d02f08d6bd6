import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { emptyDraft, type TemplateDraft } from '../../../../templates/authoring/draft.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Waiting } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { useDraft } from './draftState.ts'
import type { UploadTarget } from './HeaderFields.tsx'
import { listPath, newPath, templatePath } from './paths.ts'
import { type ShownTemplate, useTemplate, useTemplateChange, useTemplates } from './queries.ts'
import { TemplateForm } from './TemplateForm.tsx'

const words = templateWords.editor

/** The data of the line's channel, and an existing template. @param templateId null: none */
export function useOriginal(phoneNumberId: string, templateId: string | null) {
  const { data, error, refetch } = useTemplates(phoneNumberId)
  const known = useTemplate(templateId)
  const failure = error ?? known.error
  const target: UploadTarget | undefined = data && {
    phoneNumberId,
    channelId: data.channelId,
    canUpload: data.canUpload,
  }
  const otherwise = failure ? <ErrorView error={failure} onRetry={() => void refetch()} /> : <Waiting />
  return { target, original: known.data?.template ?? null, failure, otherwise }
}

/** A new template, or with `?copy=` a copy of another. */
export function NewTemplate() {
  const { id: workspaceId } = useWorkspace()
  const { phoneNumberId = '' } = useParams()
  const [search] = useSearchParams()
  const copyOf = search.get('copy')
  const { target, original, failure, otherwise } = useOriginal(phoneNumberId, copyOf)
  if (failure || !target || (copyOf !== null && !original)) return otherwise
  return (
    <>
      <PageHeader
        title={original ? words.duplicateTitle(original.name) : words.createTitle}
        description={words.description}
        back={{ to: listPath(workspaceId, phoneNumberId), label: templateWords.back }}
      />
      <Creation workspaceId={workspaceId} target={target} original={original} />
    </>
  )
}

const nameCharsMax = 512
const copyName = (name: string) => `${name.slice(0, nameCharsMax - 5)}_copy`

function Creation(props: { workspaceId: string; target: UploadTarget; original: ShownTemplate | null }) {
  const { workspaceId, target, original } = props
  const { phoneNumberId } = target
  const [initial] = useState(() => (original ? { ...original.draft, name: copyName(original.name) } : emptyDraft))
  const state = useDraft(initial, newPath(workspaceId, phoneNumberId, original?.id))
  const [, navigate] = useLocation()
  const create = useTemplateChange((routes, draft: TemplateDraft) =>
    routes.templates.post({ phoneNumberId, draft: mutable(draft) }),
  )
  const submit = () =>
    create.mutate(state.draft, {
      onSuccess: ({ template }) => {
        state.forget()
        navigate(templatePath(workspaceId, phoneNumberId, template.id))
      },
    })
  return <TemplateForm state={state} target={target} fixed={null} change={create} onSubmit={submit} />
}

type Mutable<Value> = Value extends object ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> } : Value

/** The route's type has no `readonly`; nothing is changed. */
export const mutable = (draft: TemplateDraft) => draft as Mutable<TemplateDraft>
