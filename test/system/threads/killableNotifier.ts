import '../../../workers/notifier.ts'
import { takePoison } from './killable.ts'

takePoison()
