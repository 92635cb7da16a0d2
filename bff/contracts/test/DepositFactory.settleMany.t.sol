// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositFactory} from "../src/DepositFactory.sol";
import {DepositForwarder} from "../src/DepositForwarder.sol";
import {Terms} from "../src/Terms.sol";
import {DepositTest, Vm} from "./DepositTest.sol";
import {CallbackToken, GasBurnerToken, LoudToken, OpenToken} from "./HostileTokens.sol";

contract SettleManyTest is DepositTest {
    function test_aBatchSettlesEachDepositToTheUnit(uint256[20] memory received) public {
        Terms[] memory batch = _deposits(20);
        uint256 merchantAmount = 0;
        uint256 platformAmount = 0;
        for (uint256 i = 0; i < batch.length; ++i) {
            uint256 amount = bound(received[i], LEAST, 2 * uint256(DUE));
            pay(batch[i], amount);
            uint256 paid = amount < DUE ? amount : DUE;
            platformAmount += platformShare(batch[i], paid);
            merchantAmount += paid - platformShare(batch[i], paid);
        }
        vm.prank(STRANGER);
        factory.settleMany(batch);
        assertUsdc(MERCHANT, merchantAmount, "merchant");
        assertUsdc(PLATFORM, platformAmount, "platform");
    }

    function test_whatCannotBeSettledIsSkippedWithItsReason() public {
        Terms[] memory batch = _deposits(5);
        for (uint256 i = 0; i < 5; ++i) {
            if (i != 1) pay(batch[i], DUE);
        }
        factory.settle(batch[0]);
        batch[2].chainId = 8453;
        usdc.blacklist(address(0xDEAD));
        batch[3].merchant = address(0xDEAD);
        pay(batch[3], DUE);

        vm.recordLogs();
        factory.settleMany(batch);

        (address[] memory skipped, bytes[] memory reasons) = _skipped();
        vm.assertEq(skipped.length, 4, "skipped");
        for (uint256 i = 0; i < 4; ++i) {
            vm.assertEq(skipped[i], factory.forwarderOf(batch[i]), "forwarder");
        }
        address settled = factory.forwarderOf(batch[0]);
        _assertReason(reasons[0], abi.encodeWithSelector(DepositForwarder.AlreadySettled.selector, settled));
        _assertReason(reasons[1], abi.encodeWithSelector(DepositFactory.NotCovered.selector, 0, LEAST));
        _assertReason(reasons[2], abi.encodeWithSelector(DepositFactory.WrongChain.selector, 8453, block.chainid));
        _assertReason(reasons[3], abi.encodeWithSignature("Error(string)", "Blacklistable: account is blacklisted"));
        vm.assertTrue(skipped[3].code.length == 0, "what was skipped is not deployed");
        assertUsdc(MERCHANT, 2 * 98_500_000, "the first and the last");
    }

    function test_oneDepositTwiceInABatchIsSettledOnce() public {
        Terms[] memory batch = _deposits(2);
        batch[1] = batch[0];
        pay(batch[0], 2 * uint256(DUE));
        factory.settleMany(batch);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
    }

    function test_hostileTokensSpoilNothingForTheOthers() public {
        Terms[] memory batch = _deposits(4);
        OpenToken[3] memory hostile = [OpenToken(new LoudToken()), new GasBurnerToken(), new CallbackToken()];
        for (uint256 i = 0; i < 3; ++i) {
            batch[i].token = address(hostile[i]);
            hostile[i].mint(factory.forwarderOf(batch[i]), DUE);
        }
        pay(batch[3], DUE);
        CallbackToken(address(hostile[2])).setCallback(address(factory), abi.encodeCall(factory.settleMany, (batch)));

        vm.recordLogs();
        uint256 gasBefore = gasleft();
        factory.settleMany(batch);

        vm.assertTrue(gasBefore - gasleft() < 2 * factory.ITEM_GAS_MAX() + 1_000_000, "gas is bounded");
        (address[] memory skipped, bytes[] memory reasons) = _skipped();
        vm.assertEq(skipped.length, 2, "the loud and the burner");
        vm.assertEq(reasons[0].length, factory.REASON_MAX(), "a reason is bounded");
        vm.assertTrue(!CallbackToken(address(hostile[2])).hasSucceeded(), "called back in vain");
        assertUsdc(MERCHANT, 98_500_000, "merchant");
    }

    /// @dev Whatever gas the caller leaves, each deposit is either settled whole or untouched, and nothing is parked.
    function test_tooLittleGasLeavesNothingHalfDone(uint256 gasLimit) public {
        Terms[] memory batch = _deposits(3);
        for (uint256 i = 0; i < 3; ++i) {
            pay(batch[i], DUE);
        }
        gasLimit = bound(gasLimit, 30_000, 600_000);
        (bool isOk,) = address(factory).call{gas: gasLimit}(abi.encodeCall(factory.settleMany, (batch)));
        uint256 settled = 0;
        for (uint256 i = 0; i < 3; ++i) {
            address forwarder = factory.forwarderOf(batch[i]);
            uint256 left = usdc.balanceOf(forwarder);
            vm.assertTrue(left == (forwarder.code.length == 0 ? DUE : 0), "settled or untouched");
            if (left == 0) settled += 1;
        }
        vm.assertTrue(isOk || settled == 0, "a failed batch did nothing");
        assertUsdc(MERCHANT, settled * 98_500_000, "merchant");
        assertUsdc(PLATFORM, settled * 1_500_000, "platform");
        factory.settleMany(batch);
        assertUsdc(MERCHANT, 3 * 98_500_000, "merchant, after another try");
    }

    function test_aBatchHasABound() public {
        Terms[] memory batch = new Terms[](201);
        vm.expectRevert(abi.encodeWithSelector(DepositFactory.BatchTooLong.selector, 201, 200));
        factory.settleMany(batch);
        batch = _deposits(200);
        for (uint256 i = 0; i < 200; ++i) {
            pay(batch[i], DUE);
        }
        uint256 gasBefore = gasleft();
        factory.settleMany(batch);
        vm.assertTrue(gasBefore - gasleft() < 16_000_000, "fits into a transaction");
        assertUsdc(MERCHANT, 200 * 98_500_000, "merchant");
    }

    function _deposits(uint256 count) private view returns (Terms[] memory batch) {
        batch = new Terms[](count);
        for (uint256 i = 0; i < count; ++i) {
            batch[i] = usdcDeposit();
            batch[i].salt = keccak256(abi.encode(i));
        }
    }

    function _skipped() private returns (address[] memory forwarders, bytes[] memory reasons) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count = 0;
        forwarders = new address[](logs.length);
        reasons = new bytes[](logs.length);
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != DepositFactory.SettleSkipped.selector) continue;
            forwarders[count] = address(uint160(uint256(logs[i].topics[1])));
            reasons[count] = abi.decode(logs[i].data, (bytes));
            count += 1;
        }
        assembly ("memory-safe") {
            mstore(forwarders, count)
            mstore(reasons, count)
        }
    }

    function _assertReason(bytes memory actual, bytes memory expected) private pure {
        vm.assertEq(actual, expected, "reason");
    }
}
