import { useEffect, useRef, useState } from 'react'
import { mediaBytesMax } from '../../../../../base/upstreamLimits.ts'
import { sendableType } from '../../../../../media/outgoing/types.ts'
import { toFailure } from '../../../api/failure.ts'
import { uploadFile } from '../../../api/files.ts'
import { useWorkspace } from '../../../app/session.tsx'
import { byteSize } from '../../../components/numbers.ts'
import { composer as words } from '../../../texts/en/composer.ts'
import type { ChosenFile } from './composition.ts'

interface Uploading {
  readonly file: File
  readonly type: ChosenFile['type']
  readonly problem: string | null
}

/** @returns the type of message that shows it, or why none does */
function check({ type: mimeType, size }: File): { type: ChosenFile['type'] } | { problem: string } {
  const type = sendableType(mimeType)
  if (!type) return { problem: words.notSendable }
  const max = mediaBytesMax[type]
  return size > max ? { problem: words.tooLarge(words.kinds[type], byteSize(size), byteSize(max)) } : { type }
}

/** Gives a file to the gateway when it is chosen, so that a draft keeps it; what cannot be sent is told before. */
export function useUpload(onKept: (file: ChosenFile) => void) {
  const { id: workspaceId } = useWorkspace()
  const [state, setState] = useState<Uploading | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start(file: File) {
    setProblem(null)
    const checked = check(file)
    if ('problem' in checked) return setProblem(checked.problem)
    const own = new AbortController()
    running.current?.abort()
    running.current = own
    setState({ file, type: checked.type, problem: null })
    try {
      const { id, type, name } = await uploadFile(workspaceId, file, own.signal)
      if (own.signal.aborted) return
      onKept({ id, type, name, isVoice: false })
      setState(null)
    } catch (thrown) {
      if (own.signal.aborted) return
      const failure = toFailure(thrown)
      setState({ file, type: checked.type, problem: failure.issues[0]?.message ?? failure.message })
    }
  }

  return {
    uploading: state,
    /** Why a file was not taken. */
    problem,
    start,
    forgive: () => setProblem(null),
    drop() {
      running.current?.abort()
      setState(null)
      setProblem(null)
    },
  }
}
