"""An operation moves along its statuses and never back."""

import itertools
import pickle

import pytest

from earsim.apparatus.operation import (
    FOLLOWING,
    Failure,
    Operation,
    OperationStatus,
    OperationType,
)
from earsim.errors import UsageError

S = OperationStatus
WAY = (S.PENDING, S.ACKNOWLEDGED, S.STARTED, S.IN_PROGRESS, S.COMPLETED)


def at(status):
    """An operation that came to a status on the shortest way."""
    new = Operation("op_1", OperationType.RUN, 0.0)
    if status is S.FAILED:
        return new.failed(Failure.ERROR)
    return new.to(*WAY[1 : WAY.index(status) + 1])


@pytest.mark.parametrize(("start", "end"), list(itertools.product(S, S)))
def test_only_the_next_status_follows(start, end):
    operation = at(start)
    if (start, end) in itertools.pairwise(WAY):
        assert operation.to(end).status is end
    else:
        with pytest.raises(UsageError):
            operation.to(end)
    assert operation == at(start)


@pytest.mark.parametrize("reason", Failure)
@pytest.mark.parametrize("status", WAY[:-1])
def test_any_operation_that_has_not_ended_can_fail_for_any_reason(status, reason):
    failed = at(status).failed(reason)
    assert (failed.status, failed.failure) == (S.FAILED, reason)


@pytest.mark.parametrize("status", [S.COMPLETED, S.FAILED])
def test_what_has_ended_does_not_fail(status):
    assert status.ended
    with pytest.raises(UsageError):
        at(status).failed(Failure.HALTED)


def test_an_operation_can_pass_several_statuses_at_once_but_skip_none():
    assert at(S.STARTED).to(S.IN_PROGRESS, S.COMPLETED).status is S.COMPLETED
    with pytest.raises(UsageError):
        at(S.STARTED).to(S.COMPLETED)


def test_every_status_has_what_follows_it():
    assert list(FOLLOWING) == list(S)
    assert [status for status in S if status.ended] == [S.COMPLETED, S.FAILED]


def test_probing_and_stopping_begin_no_operation():
    begin = [type_ for type_ in OperationType if type_.begins]
    assert begin == [OperationType.CONFIGURE, OperationType.RUN, OperationType.EXECUTE_CODE]


def test_an_operation_is_a_value():
    assert pickle.loads(pickle.dumps(at(S.STARTED))) == at(S.STARTED)
    assert {at(S.STARTED): 1}[at(S.STARTED)] == 1
