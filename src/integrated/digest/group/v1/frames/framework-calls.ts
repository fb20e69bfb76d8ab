/**
 * Functions of user interface libraries that call components, effects and handlers. In bundles they look like
 * application code, and each version of a library calls different ones.
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

/** Returns true when the function, without the object before it, is a framework call. */
export function isFrameworkCall(name: string): boolean {
  return name.length >= 9 && CALLS.has(name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name);
}
