// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {Permit2Test} from "./Permit2Test.sol";

contract PayDepositWithPermit2Test is Permit2Test {
    address private constant DEPOSIT = address(0xDE9);

    function test_anyoneBringsItAndTheDepositAddressGetsAllOfIt(address relayer, uint256 amount, uint256 nonce) public {
        amount = bound(amount, 1, 1e30);
        usdt.mint(payer, amount + 1);
        bytes memory signature = _sign(amount, nonce);
        vm.prank(relayer);
        splitter.payDepositWithPermit2(address(usdt), DEPOSIT, amount, payer, nonce, deadline, signature);
        vm.assertEq(usdt.balanceOf(DEPOSIT), amount, "deposit");
        vm.assertEq(usdt.balanceOf(payer), 1, "payer");
        vm.assertEq(usdt.balanceOf(address(splitter)), 0, "splitter");
        expectError(INVALID_NONCE);
        splitter.payDepositWithPermit2(address(usdt), DEPOSIT, amount, payer, nonce, deadline, signature);
    }

    function test_whoBringsItCanChangeNothing(uint256 what, uint256 seed) public {
        usdt.mint(payer, 2 * DUE);
        bytes memory signature = _sign(DUE, 7);
        what %= 6;
        address other = address(uint160(bound(seed, 1e6, type(uint160).max)));
        address token = what == 0 ? address(usdc) : address(usdt);
        address to = what == 1 ? other : DEPOSIT;
        uint256 amount = what == 2 ? bound(seed, 1, 2 * DUE) : DUE;
        if (what == 2 && amount == DUE) amount -= 1;
        address from = what == 3 ? other : payer;
        uint256 nonce = what == 4 ? 8 : 7;
        uint256 until = what == 5 ? deadline + 1 : deadline;
        expectError(INVALID_SIGNER);
        vm.prank(STRANGER);
        splitter.payDepositWithPermit2(token, to, amount, from, nonce, until, signature);
        splitter.payDepositWithPermit2(address(usdt), DEPOSIT, DUE, payer, 7, deadline, signature);
        vm.assertEq(usdt.balanceOf(DEPOSIT), DUE, "deposit");
    }

    function test_itGoesNeitherToTheTokenNorToTheSplitterNorForNothingNorLate() public {
        bytes memory none;
        address[3] memory refused = [address(0), address(usdt), address(splitter)];
        for (uint256 i = 0; i < refused.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.InvalidRecipient.selector, refused[i]));
            splitter.payDepositWithPermit2(address(usdt), refused[i], DUE, payer, 1, deadline, none);
        }
        expectError(IPaymentSplitter.AmountMustBeGreaterThanZero.selector);
        splitter.payDepositWithPermit2(address(usdt), DEPOSIT, 0, payer, 1, deadline, none);
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.DeadlinePassed.selector, deadline, block.timestamp));
        splitter.payDepositWithPermit2(address(usdt), DEPOSIT, DUE, payer, 1, deadline, none);
    }

    function test_aSignatureOverTermsPaysNoDepositAndOneOverADepositNoTerms() public {
        usdt.mint(payer, 2 * DUE);
        bytes32 hash = splitter.termsHash(usdtDetails());
        bytes memory terms = signTerms(usdtDetails(), deadline);
        expectError(INVALID_SIGNER);
        splitter.payDepositWithPermit2(address(usdt), DEPOSIT, DUE, payer, uint256(hash), deadline, terms);
        bytes memory deposit = _sign(DUE, uint256(hash));
        expectError(INVALID_SIGNER);
        splitter.splitPaymentWithPermit2(usdtDetails(), payer, deadline, deposit);
    }

    function _sign(uint256 amount, uint256 nonce) private view returns (bytes memory) {
        bytes32 witness = keccak256(abi.encode(keccak256("Deposit(address depositAddress)"), DEPOSIT));
        return sign(DEPOSIT_WITNESS, witness, address(usdt), amount, address(splitter), nonce, deadline);
    }
}
