// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositTest} from "./DepositTest.sol";

contract TestUSDTTest is DepositTest {
    function test_itReturnsNothing() public {
        usdt.mint(address(this), 3);
        (bool isOk, bytes memory answer) = address(usdt).call(abi.encodeCall(usdt.transfer, (STRANGER, 1)));
        vm.assertTrue(isOk && answer.length == 0, "transfer");
        (isOk, answer) = address(usdt).call(abi.encodeCall(usdt.approve, (address(this), 1)));
        vm.assertTrue(isOk && answer.length == 0, "approve");
        (isOk, answer) = address(usdt).call(abi.encodeCall(usdt.transferFrom, (address(this), STRANGER, 1)));
        vm.assertTrue(isOk && answer.length == 0, "transferFrom");
        vm.assertEq(usdt.balanceOf(STRANGER), 2, "stranger");
    }

    function test_anApprovalPassesThroughZero() public {
        usdt.approve(STRANGER, 5);
        vm.expectRevert();
        usdt.approve(STRANGER, 6);
        usdt.approve(STRANGER, 0);
        usdt.approve(STRANGER, 6);
        vm.assertEq(usdt.allowance(address(this), STRANGER), 6, "allowance");
    }

    function test_aFeeComesOffWhatArrives() public {
        usdt.setParams(10, 1);
        usdt.mint(PAYER, 10_000e6);
        vm.prank(PAYER);
        usdt.transfer(MERCHANT, 100e6);
        vm.assertEq(usdt.balanceOf(MERCHANT), 99_900_000, "a thousandth less");
        vm.prank(PAYER);
        usdt.transfer(STRANGER, 5_000e6);
        vm.assertEq(usdt.balanceOf(STRANGER), 4_999e6, "at most one token less");
        vm.assertEq(usdt.balanceOf(address(this)), 1_100_000, "the owner's fees");
    }

    function test_aBlacklistedSenderIsStuckButMoneyStillArrives() public {
        usdt.mint(PAYER, 5);
        usdt.addBlackList(MERCHANT);
        vm.prank(PAYER);
        usdt.transfer(MERCHANT, 5);
        vm.expectRevert();
        vm.prank(MERCHANT);
        usdt.transfer(PAYER, 5);
        usdt.destroyBlackFunds(MERCHANT);
        vm.assertEq(usdt.balanceOf(MERCHANT), 0, "destroyed");
    }

    function test_aPausedTokenDoesNotMove() public {
        usdt.mint(address(this), 1);
        usdt.pause();
        vm.expectRevert();
        usdt.transfer(STRANGER, 1);
    }
}
