/**
 * Functions of libraries for user interfaces that call components, effects and handlers. Where they are bundled
 * with the application they look like its own, and every version of a library calls through other ones.
 */
const REACT = `
  react-stack-bottom-frame react_stack_bottom_frame renderWithHooks renderWithHooksAgain
  mountIndeterminateComponent updateFunctionComponent updateClassComponent updateSimpleMemoComponent beginWork
  beginWork$1 completeWork performUnitOfWork workLoopSync workLoopConcurrent workLoopConcurrentByScheduler
  renderRootSync renderRootConcurrent recoverFromConcurrentError performSyncWorkOnRoot
  performConcurrentWorkOnRoot performWorkOnRoot performWorkUntilDeadline performWorkOnRootViaSchedulerTask
  flushSyncCallbacks flushSyncCallbacksOnlyInLegacyMode flushSyncWorkAcrossRoots_impl flushPassiveEffects
  flushPassiveEffectsImpl commitRoot commitRootImpl commitHookEffectListMount commitHookEffectListUnmount
  commitPassiveMountEffects commitPassiveMountOnFiber commitPassiveMountEffects_begin
  commitPassiveMountEffects_complete commitHookPassiveMountEffects commitLayoutEffects
  commitLayoutEffectOnFiber commitMutationEffects commitMutationEffectsOnFiber
  recursivelyTraversePassiveMountEffects recursivelyTraverseLayoutEffects recursivelyTraverseMutationEffects
  reconnectPassiveEffects invokeGuardedCallback invokeGuardedCallbackDev invokeGuardedCallbackImpl
  invokeGuardedCallbackAndCatchFirstError callCallback runWithFiberInDEV executeDispatch processDispatchQueue
  processDispatchQueueItemsInOrder dispatchEventsForPlugins batchedUpdates$1 dispatchEventForPluginEventSystem
  dispatchDiscreteEvent batchedUpdates`;
const VUE = `
  callWithErrorHandling callWithAsyncErrorHandling invokeWithErrorHandling flushJobs flushPreFlushCbs
  flushPostFlushCbs flushSchedulerQueue setupRenderEffect renderComponentRoot setupStatefulComponent`;
const ANGULAR = `
  executeListenerWithErrorHandling wrapListenerIn_markDirtyAndPreventDefault invokeTask onInvokeTask
  detectChangesInternal detectChangesInView detectChangesInViewWhileDirty detectChangesInComponent
  detectChangesInEmbeddedViews executeTemplate refreshView`;
const CALLS: ReadonlySet<string> = new Set(`${REACT}${VUE}${ANGULAR}`.trim().split(/\s+/));

/** Whether the function, whatever object stands before it, is one of them. */
export function isFrameworkCall(name: string): boolean {
  return name.length >= 9 && CALLS.has(name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name);
}
