"""How this package's functions are compiled: Numba's pipeline, less what takes long and serves none of them.

Numba makes every function machine code of its own, even one that only ever runs as a part of those that call it, and
prepares each for generators, closures and array expressions that none here has. About a third of the time of a first
game went there. This rests on how Numba is made inside, so ``pyproject.toml`` names the versions known to agree.
"""

from __future__ import annotations

from typing import Any, cast

import numba
from numba.core import codegen, compiler, compiler_machinery, typed_passes, untyped_passes

_Library = cast(Any, codegen).JITCodeLibrary
_Compiler = cast(Any, compiler).CompilerBase
_Flags = cast(Any, compiler).Flags
_Lowering = cast(Any, typed_passes).NativeLowering
_register: Any = compiler_machinery.register_pass


class _Settings(_Flags):
    """A compilation's flags, told apart by identity: Numba compares them all the time, option by option."""

    def copy(self) -> Any:
        """Return the same; nothing here changes them."""
        return self

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


_settings: dict[str, _Settings] = {}


def _same(flags: Any) -> _Settings:
    """Return the one object for flags of these values."""
    return _settings.setdefault(repr(sorted(flags.values().items())), _Settings(flags))


class _PartLibrary(_Library):
    """Code that runs only as linked into its callers: made machine code there, once, and not by itself."""

    def finalize(self) -> None:
        """Link in what it calls; optimising and translating it is left to the entry point."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


@_register(mutates_CFG=True, analysis_only=False)
class _LowerPart(_Lowering):
    """Lowers a function into a :class:`_PartLibrary`."""

    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:
        """Do it; the handle by which Numba knows the function has no code behind it."""
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        lowered = state.cr
        name = lowered.fndesc.qualname
        handle = cast(Any, numba)._dynfunc.make_function(
            lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(handle, lowered.fndesc, [state.library])
        state.cr = lowered._replace(cfunc=handle)
        return True


_BEFORE = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
)


def _pipeline(lowering: Any) -> list[Any]:
    passes: Any = cast(Any, compiler_machinery).PassManager("numbers and arrays")
    for step in (*_BEFORE, lowering, typed_passes.NoPythonBackend):
        passes.add_pass(step, step.__name__)
    passes.finalize()
    return [passes]


class EntryCompiler(_Compiler):
    """Compiles a function that Python calls, with all that it calls linked in."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, local: Any) -> None:
        super().__init__(typing, target, library, args, returns, _same(flags), local)

    def define_pipelines(self) -> list[Any]:
        """Return the passes a function goes through."""
        return _pipeline(_Lowering)


class PartCompiler(_Compiler):
    """Compiles a function that only compiled code calls, as far as its callers need it."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, local: Any) -> None:
        flags = flags.copy()
        flags.no_compile = True
        super().__init__(typing, target, library, args, returns, _same(flags), local)

    def define_pipelines(self) -> list[Any]:
        """Return the passes a function goes through."""
        return _pipeline(_LowerPart)
